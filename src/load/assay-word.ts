import type {
  Check,
  FileClaim,
  JudgedClaim,
  LimitClaim,
  TextClaim,
  TranscriptClaim,
} from "../domain/check.ts";
import type { JsonObject } from "../domain/json.ts";
import type { DocNode } from "../lib/document/node.ts";
import { type Fields, object, type ObjectOutput, optional, required } from "../lib/shape/object.ts";
import { INVALID, type Invalid, type ReadContext, type Shape } from "../lib/shape/shape.ts";
import { oneOf, text } from "../lib/shape/values.ts";

/** What an `assay` key can ask for: everything code can decide, and a plain criterion. */
export type AssayClaim = TextClaim | TranscriptClaim | FileClaim | LimitClaim | JudgedClaim;

/** One word of the vocabulary: the `type` of an entry of `checks`. */
export interface Word {
  readonly shape: Shape<unknown>;
  readonly read: (node: DocNode, context: ReadContext) => ReadEntry | Invalid;
  /** The word's own keys, without defaults. */
  readonly spell: (claim: AssayClaim) => JsonObject;
  /** What tells two checks of one type apart. */
  readonly subject: (claim: AssayClaim) => string;
  /** How a person reads it when the entry has no `text`. */
  readonly sentence: (claim: AssayClaim) => string;
}

export interface ReadEntry {
  readonly id: string | null;
  readonly text: string | null;
  readonly appliesTo: Check["appliesTo"] | null;
  readonly claim: AssayClaim;
}

export type Kind = AssayClaim["kind"];
type ClaimOf<K extends Kind> = AssayClaim & { readonly kind: K };

interface Definition<K extends Kind, F extends Fields> {
  readonly fields: F;
  readonly claim: (values: ObjectOutput<F>) => Omit<ClaimOf<K>, "kind">;
  readonly spell: (claim: ClaimOf<K>) => JsonObject;
  readonly subject: (claim: ClaimOf<K>) => string;
  readonly sentence: (claim: ClaimOf<K>) => string;
  readonly rule?: (values: ObjectOutput<F>, context: ReadContext, node: DocNode) => boolean;
}

/** A word with the head that all of them have: `type`, `id`, `text`, `applies_to`. */
export function define<K extends Kind, F extends Fields>(kind: K, definition: Definition<K, F>): Word {
  const head = {
    type: required(oneOf([kind])),
    id: optional(text()),
    text: optional(text()),
    applies_to: optional(oneOf(["every-variant", "with-skill"])),
  };
  const fields = { ...head, ...definition.fields };
  const hints = Object.fromEntries(
    Object.entries(HINTS).filter(([wrong, right]) => right in fields && !(wrong in fields)),
  );
  const shape = object(fields, { unknownKeys: "error", hints });
  return {
    shape,
    read(node, context) {
      const read = shape.read(node, context);
      if (read === INVALID) return INVALID;
      const values = read as unknown as ObjectOutput<F> & ObjectOutput<typeof head>;
      if (definition.rule !== undefined && !definition.rule(values, context, node)) return INVALID;
      const claim = { kind, ...definition.claim(values) } as unknown as AssayClaim;
      return { id: values.id, text: values.text, appliesTo: values.applies_to, claim };
    },
    spell: (claim) => definition.spell(claim as ClaimOf<K>),
    subject: (claim) => definition.subject(claim as ClaimOf<K>),
    sentence: (claim) => definition.sentence(claim as ClaimOf<K>),
  };
}

/** Keys that other tools, or a first guess, use for the right one. */
const HINTS: Readonly<Record<string, string>> = {
  kind: "type",
  file: "path",
  regex: "pattern",
  value: "needle",
  name: "tool",
  args: "arguments",
  min: "count",
  max: "limit",
  description: "text",
  appliesTo: "applies_to",
  ignoreCase: "ignore_case",
};
