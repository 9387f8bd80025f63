import type { Check, Claim } from "../domain/check.ts";
import type { CheckEntry } from "../domain/checks/kind.ts";
import type { JsonObject } from "../domain/json.ts";
import { type DocNode, toPlain, valueOf } from "../lib/document/node.ts";
import { nearest } from "../lib/nearest.ts";
import {
  INVALID,
  type Invalid,
  invalid,
  type JsonSchema,
  pathText,
  type ReadContext,
  type Shape,
} from "../lib/shape/shape.ts";
import { wrongType } from "../lib/shape/values.ts";
import type { ReadEntry } from "./assay-form.ts";
import type { Word } from "./assay-word.ts";
import { wordFor, wordNames } from "./assay-words.ts";

/** Which key declares a check: one for all tasks of a file, or a task's own. */
export type CheckOwner = "file" | "task";

/** One entry of `checks` as a check. A derived id may still clash with another of its case. */
export interface AssayEntry {
  readonly check: Check;
  readonly derivedId: boolean;
  readonly offset: number;
}

/** Reads one entry of `checks`. */
export function assayCheckShape(owner: CheckOwner): Shape<AssayEntry> {
  return {
    schema: { anyOf: wordNames().flatMap(schemasOf) },
    read(node, context) {
      const found = findWord(node, context);
      if (found === INVALID) return INVALID;
      const entry = found.form.read(node, context);
      return entry === INVALID ? INVALID : toEntry(entry, { word: found.word, node, owner });
    },
  };
}

/** How the `assay` key spells a check of any format; null when it cannot express it. */
export function spellCheck(check: Check): JsonObject | null {
  const declared = assayOrigin(check);
  if (declared !== null) return declared.entry;
  const word = wordFor(check.kind);
  if (word === null) return null;
  const { entry } = word;
  return {
    type: check.kind,
    ...(check.id === derivedId(entry, check, check.text) ? {} : { id: check.id }),
    ...(check.text === entry.sentence(check) ? {} : { text: check.text }),
    ...(check.appliesTo === entry.appliesTo ? {} : { applies_to: check.appliesTo }),
    ...word.spell(check),
  };
}

/** The entry of an `assay` key that declared the check; null for a check of the host format. */
export function assayOrigin(check: Check): { owner: CheckOwner; entry: JsonObject } | null {
  const origin = check.origin;
  if (origin === null || typeof origin !== "object" || !("assay" in origin)) return null;
  const { assay, entry, ...others } = origin;
  if (Object.keys(others).length > 0 || (assay !== "file" && assay !== "task")) return null;
  const isEntry = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  return isEntry ? { owner: assay, entry: entry as JsonObject } : null;
}

function schemasOf(name: string): readonly JsonSchema[] {
  const word = wordFor(name);
  if (word === null) return [];
  return [word.form.schema, ...(word.shortForm === null ? [] : [word.shortForm.schema])];
}

interface FoundWord {
  readonly word: Word;
  readonly form: Shape<ReadEntry>;
}

function findWord(node: DocNode, context: ReadContext): FoundWord | Invalid {
  if (node.kind !== "object") return wrongType(node, context, "an object");
  const type = valueOf(node, "type");
  if (type === undefined) {
    const keys = node.entries.map((entry) => entry.key);
    const short = keys.flatMap(inShort)[0];
    if (short !== undefined) return short;
    const near = keys.find((key) => wordFor(key) !== null);
    return invalid(context, node, {
      code: "missing-key",
      message: `${pathText(context.path)} has no "type" that says what to check`,
      hint:
        near === undefined ? `types: ${wordNames().join(", ")}` : `did you mean {"type": "${near}", ...}?`,
    });
  }
  if (type.kind !== "string") return wrongType(type, context, "one of the check types");
  const word = wordFor(type.value);
  if (word !== null) return { word, form: word.form };
  const near = nearest(type.value, wordNames());
  return invalid(context, type, {
    code: "unknown-check",
    message: `${pathText(context.path)} has the unknown type ${JSON.stringify(type.value)}`,
    hint: near === null ? `types: ${wordNames().join(", ")}` : `did you mean ${JSON.stringify(near)}?`,
  });
}

function inShort(key: string): readonly FoundWord[] {
  const word = wordFor(key);
  return word === null || word.shortForm === null ? [] : [{ word, form: word.shortForm }];
}

function toEntry(
  { id, text: said, appliesTo, claim }: ReadEntry,
  { word, node, owner }: { word: Word; node: DocNode; owner: CheckOwner },
): AssayEntry {
  const { layer, entry } = word;
  const text = said ?? entry.sentence(claim);
  const head = {
    id: id ?? derivedId(entry, claim, text),
    layer,
    text,
    appliesTo: appliesTo ?? entry.appliesTo,
    origin: { assay: owner, entry: toPlain(node) },
  };
  return { check: { ...head, ...claim }, derivedId: id === null, offset: node.start };
}

/** Made of what the check says, not of where it stands, so that it survives reordering. */
function derivedId(entry: CheckEntry<Claim>, claim: Claim, text: string): string {
  const subject = entry.says === "text" ? text : entry.subject(claim);
  const short = subject.replaceAll(/\s+/g, " ").trim();
  return short === ""
    ? claim.kind
    : `${claim.kind}:${short.length > 60 ? `${short.slice(0, 57)}...` : short}`;
}
