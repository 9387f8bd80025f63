import { type DocNode, toPlain } from "../../../lib/document/node.ts";
import { compilePython } from "../../../lib/python-regex/compile.ts";
import { object, optional, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { INVALID, invalid, pathText, type Shape, type ShapeOutput } from "../../../lib/shape/shape.ts";
import { int, list, oneOf, refine, text, wrongType } from "../../../lib/shape/values.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { noteLookbehind } from "../../note-lookbehind.ts";
import { assayKeyShape } from "../../assay-key.ts";

/** What every eval file must have. */
export const REQUIRED_KEYS = ["timestamp", "name", "prompt", "expected"] as const;

export const ASSERTION_TYPES = [
  "contains",
  "not_contains",
  "regex",
  "starts_with",
  "ends_with",
  "tool_called",
  "tool_not_called",
] as const;

export interface Assertion {
  readonly type: (typeof ASSERTION_TYPES)[number];
  readonly value: string;
  /** The whole entry where it has more keys than these two. */
  readonly origin: JsonObject | null;
}

export type SkilletEval = ShapeOutput<typeof EVAL>;

/** One eval file. */
export const EVAL = object(
  {
    timestamp: required(timestamp()),
    name: required(text()),
    prompt: required(prompt()),
    expected: required(expected()),
    assertions: optionalOrNull(list(assertion()), []),
    setup: optionalOrNull(text({ blank: "allowed" })),
    teardown: optionalOrNull(text({ blank: "allowed" })),
    actual: optionalOrNull(text({ blank: "allowed" })),
    domain: optionalOrNull(domain()),
    schema_version: optionalOrNull(schemaVersion()),
    assay: optional(assayKeyShape("task")),
  },
  {
    hints: {
      prompts: "prompt",
      input: "prompt",
      query: "prompt",
      expectation: "expected",
      expected_output: "expected",
      asserts: "assertions",
      checks: "assertions",
      before: "setup",
      after: "teardown",
      version: "schema_version",
    },
  },
);

/** A judge cannot hold an answer to "correctly"; such a criterion passes whatever comes. */
function expected(): Shape<string> {
  return refine(text(), (value, context, node) => {
    if (value.length < 100 && VAGUE.test(value.trim())) {
      context.report({
        severity: "note",
        offset: node.start,
        code: "vague-expected",
        message: `${pathText(context.path)} is vague: ${JSON.stringify(value.trim())}`,
        hint: "say what a correct answer contains and what it must not contain",
      });
    }
    return value;
  });
}

const VAGUE = new RegExp(
  [
    "^(?:(?:it|this|claude|the (?:agent|skill|answer|output|response|result))\\s+)?",
    "(?:(?:should|must|will|shall)\\s+)?(?:just\\s+)?",
    "(?:(?:be|is|do|does|(?:work|behave|run|respond|answer|act|function|succeed|handle)s?)\\b\\s*)?",
    "(?:(?:it|this|the (?:task|request|question))\\b\\s*)?",
    "(?:correct(?:ly)?|proper(?:ly)?|well|fine|right|good|nice|ok(?:ay)?|help\\s?ful|useful|sensibl[ey]|reasonabl[ey]",
    "|appropriate(?:ly)?|as (?:expected|intended)|success(?:ful(?:ly)?)?)?[.!]?$",
  ].join(""),
  "iu",
);

/** ISO 8601, quoted or as YAML's own timestamp; the spelling is kept. */
function timestamp(): Shape<string> {
  return {
    schema: { type: "string", format: "date-time" },
    read(node, context) {
      if (node.kind !== "string" && node.kind !== "timestamp") {
        return wrongType(node, context, "an ISO 8601 timestamp");
      }
      if (isTimestamp(node.value)) return node.value;
      return invalid(context, node, {
        code: "bad-timestamp",
        message: `${pathText(context.path)} must be an ISO 8601 timestamp, not ${JSON.stringify(node.value)}`,
        hint: "for example 2025-01-15T10:30:00Z",
      });
    },
  };
}

function isTimestamp(written: string): boolean {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?[ \t]*(?:Z|[-+]\d{1,2}(?::?\d{2})?)?)?$/.exec(
      written.trim(),
    );
  if (match === null) return false;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  const onCalendar = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  return onCalendar && (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) <= 60;
}

/** One message, or one for each turn. */
function prompt(): Shape<readonly string[]> {
  const turn = quotedTurn();
  const turns = list(turn, { minLength: 1 });
  return {
    schema: { anyOf: [turn.schema, turns.schema] },
    read(node, context) {
      if (node.kind === "array") return turns.read(node, context);
      if (node.kind !== "string") return wrongType(node, context, "a string or a list of strings");
      const only = turn.read(node, context);
      return only === INVALID ? INVALID : [only];
    },
  };
}

/** An unquoted colon makes an object of a turn. */
function quotedTurn(): Shape<string> {
  const turn = text();
  return {
    schema: turn.schema,
    read: (node, context) =>
      node.kind === "object"
        ? wrongType(node, context, "a string", 'put the turn in quotes: - "Use this: that"')
        : turn.read(node, context),
  };
}

function assertion(): Shape<Assertion> {
  const entry = object(
    { type: required(oneOf(ASSERTION_TYPES)), value: required(text({ blank: "allowed" })) },
    { hints: { needle: "value", pattern: "value", text: "value", tool: "value", kind: "type" } },
  );
  return refine(entry, ({ type, value, extras }, context, node) => {
    if (value === "" || (type.startsWith("tool_") && value.trim() === "")) {
      return invalid(context, node, {
        code: "blank",
        message: `${pathText(context.path)}.value must not be blank`,
      });
    }
    const compiled = type === "regex" ? compilePython(value) : null;
    if (compiled?.ok === false) {
      return invalid(context, valueNode(node), {
        code: "bad-regex",
        message: `${pathText(context.path)}.value is not a regular expression: ${compiled.message}`,
        hint: "Python syntax is expected; in double quotes, YAML needs every backslash doubled",
      });
    }
    if (compiled !== null) noteLookbehind(compiled.regex, context, valueNode(node));
    return {
      type,
      value,
      origin: Object.keys(extras).length === 0 ? null : (toPlain(node) as JsonObject),
    };
  });
}

function valueNode(node: DocNode): DocNode {
  const entry =
    node.kind === "object" ? node.entries.find((candidate) => candidate.key === "value") : undefined;
  return entry?.value ?? node;
}

/** The tool's documentation names three; it reads none of them, so another is no error. */
function domain(): Shape<string> {
  const named = ["triggering", "functional", "performance"];
  return refine(text(), (value, context, node) => {
    if (!named.includes(value)) {
      context.report({
        severity: "note",
        offset: node.start,
        code: "unknown-domain",
        message: `${pathText(context.path)} is ${JSON.stringify(value)}, not one of ${named.join(", ")}`,
      });
    }
    return value;
  });
}

function schemaVersion(): Shape<number> {
  return refine(
    int(),
    (version, context, node) =>
      version === 1
        ? version
        : invalid(context, node, {
            code: "schema-version",
            message: `schema_version ${version} is not supported: only version 1 is defined`,
          }),
    { const: 1 },
  );
}
