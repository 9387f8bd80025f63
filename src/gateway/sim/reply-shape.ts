import { type DocNode, toPlain } from "../../lib/document/node.ts";
import { object, optional, required } from "../../lib/shape/object.ts";
import {
  INVALID,
  type Invalid,
  invalid,
  pathText,
  type ReadContext,
  type Shape,
} from "../../lib/shape/shape.ts";
import { bool, int, list, number, oneOf, refine, text, wrongType } from "../../lib/shape/values.ts";
import type { Json } from "../../domain/json.ts";
import { STOPS } from "../../wires/answer.ts";
import type { ReplyPart, SimReply } from "./script.ts";
import { templateProblem } from "./template.ts";
import { ALIASES } from "./tools.ts";

/** A text, one part, a list of parts, or `parts` with `usage` and `stop`. */
export const replyShape: Shape<SimReply> = {
  get schema() {
    return { anyOf: [{ type: "string" }, part.schema, parts.schema, whole.schema] };
  },
  read(node, context) {
    if (node.kind === "object" && node.entries.some((entry) => entry.key === "parts"))
      return whole.read(node, context);
    const shape = node.kind === "array" ? parts : onePart;
    const found = shape.read(node, context);
    return found === INVALID ? INVALID : { parts: found, usage: null, stop: null };
  },
};

const STRICT = { unknownKeys: "error" } as const;

/** Checks the holes of every string inside; kept as it is until a request fills it. */
const templated: Shape<Json> = {
  schema: {},
  read: (node, context) => (holesAreRight(node, context) ? toPlain(node) : INVALID),
};

const templatedText: Shape<string> = refine(text({ blank: "allowed" }), (value, context, node) =>
  holesAreRight(node, context) ? value : INVALID,
);

const fields = object(
  {
    text: optional(templatedText),
    thinking: optional(templatedText),
    refusal: optional(templatedText),
    tool: optional(text()),
    input: optional(templated),
    json: optional(templated),
    verdicts: optional(
      list(
        object(
          {
            criterion: required(text()),
            passed: optional(bool(), true),
            quote: optional(text()),
            image: optional(text()),
            source: optional(text(), "output"),
            reason: optional(text(), "The evidence shows it."),
            score: optional(number({ min: 0, max: 1 })),
          },
          STRICT,
        ),
      ),
    ),
    claims: optional(
      list(
        object(
          {
            claim: required(text()),
            type: optional(oneOf(["factual", "process", "quality"]), "factual" as const),
            verified: optional(bool(), false),
            evidence: optional(text(), "looked up"),
          },
          STRICT,
        ),
      ),
      [],
    ),
    weak: optional(list(object({ criterion: optional(text()), reason: required(text()) }, STRICT)), []),
  },
  {
    ...STRICT,
    hints: { content: "text", name: "tool", args: "input", arguments: "input", reasoning: "thinking" },
  },
);

const part: Shape<ReplyPart> = {
  get schema() {
    return { anyOf: [{ type: "string" }, fields.schema] };
  },
  read(node, context) {
    if (node.kind === "string")
      return holesAreRight(node, context) ? { kind: "text", text: node.value } : INVALID;
    if (node.kind !== "object") return wrongType(node, context, "a text, a part or a list of parts");
    const read = fields.read(node, context);
    return read === INVALID ? INVALID : toPart(read, node, context);
  },
};

const parts = list(part, { minLength: 1 });
const onePart = refine(part, (found) => [found]);
const count = int({ min: 0 });

const whole = object(
  {
    parts: required(parts),
    usage: optional(
      object(
        {
          input: optional(count),
          output: optional(count),
          cacheRead: optional(count),
          cacheWrite: optional(count),
          reasoning: optional(count),
        },
        STRICT,
      ),
    ),
    stop: optional(oneOf(STOPS)),
  },
  STRICT,
);

type PartFields = Exclude<ReturnType<typeof fields.read>, Invalid>;

const KINDS = ["text", "thinking", "refusal", "tool", "json", "verdicts"] as const;

function toPart(read: PartFields, node: DocNode, context: ReadContext): ReplyPart | Invalid {
  const given = KINDS.filter(
    (key) => node.kind === "object" && node.entries.some((entry) => entry.key === key),
  );
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    return invalid(context, node, {
      code: "not-one-part",
      message: `${pathText(context.path)} must have exactly one of ${KINDS.join(", ")}`,
      hint: "a reply with several parts is a list",
    });
  }
  switch (kind) {
    case "json":
      return { kind, value: read.json };
    case "verdicts":
      return {
        kind,
        verdicts: read.verdicts ?? [],
        claims: read.claims.map(({ claim, type, verified, evidence }) => ({
          claim,
          type,
          verified,
          evidence,
        })),
        weak: read.weak,
      };
    case "tool":
      return toCall(read.tool ?? "", { input: read.input ?? {}, node, context });
    default:
      return { kind, text: read[kind] ?? "" };
  }
}

function toCall(
  tool: string,
  { input, node, context }: { input: Json; node: DocNode; context: ReadContext },
): ReplyPart | Invalid {
  const alias = Object.hasOwn(ALIASES, tool) ? ALIASES[tool] : undefined;
  if (alias === undefined) return { kind: "call", tool, input };
  const given = typeof input === "object" && input !== null ? Object.keys(input) : [];
  const missing = alias.required.filter((key) => !given.includes(key));
  const unknown = given.filter((key) => !alias.required.includes(key) && !alias.optional.includes(key));
  if (missing.length === 0 && unknown.length === 0) return { kind: "call", tool, input };
  return invalid(context, node, {
    code: "alias-input",
    message: `${pathText(context.path)}: the tool ${JSON.stringify(tool)} takes ${[...alias.required, ...alias.optional].join(", ")}`,
    hint: [
      ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
      ...(unknown.length > 0 ? [`unknown: ${unknown.join(", ")}`] : []),
    ].join("; "),
  });
}

function holesAreRight(node: DocNode, context: ReadContext): boolean {
  switch (node.kind) {
    case "string": {
      const problem = templateProblem(node.value);
      if (problem !== null) invalid(context, node, { code: "bad-template", ...problem });
      return problem === null;
    }
    case "array":
      return node.elements.map((element) => holesAreRight(element, context)).every(Boolean);
    case "object":
      return node.entries.map((entry) => holesAreRight(entry.value, context)).every(Boolean);
    default:
      return true;
  }
}
