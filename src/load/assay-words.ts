import type { JsonExpectation, LimitClaim } from "../domain/check.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { DocNode } from "../lib/document/node.ts";
import { compilePython } from "../lib/python-regex/compile.ts";
import { pathProblem, pathProblemText } from "../lib/relative-path.ts";
import { type ObjectOutput, optional, required } from "../lib/shape/object.ts";
import { invalid, pathText, type ReadContext, type Shape } from "../lib/shape/shape.ts";
import { anything, bool, int, list, number, refine, text } from "../lib/shape/values.ts";
import { define, type Kind, type Word } from "./assay-word.ts";

/** The word for a claim or a `type`; null when the vocabulary has none. */
export function wordFor(kind: string): Word | null {
  return Object.hasOwn(WORDS, kind) ? WORDS[kind as Kind] : null;
}

export function wordNames(): readonly string[] {
  return Object.keys(WORDS);
}

const JSON_FIELDS = {
  at: optional(text({ blank: "allowed" }), ""),
  equals: optional(refine(anything(), (value): { readonly value: Json } => ({ value }))),
  matches: optional(pattern()),
};
type JsonValues = ObjectOutput<typeof JSON_FIELDS>;

const WORDS: Readonly<Record<Kind, Word>> = {
  contains: needleWord("contains", "contains"),
  not_contains: needleWord("not_contains", "does not contain"),
  starts_with: needleWord("starts_with", "starts with"),
  ends_with: needleWord("ends_with", "ends with"),
  regex: define("regex", {
    fields: { pattern: required(pattern()) },
    claim: (values) => ({ pattern: values.pattern }),
    spell: (claim) => ({ pattern: claim.pattern }),
    subject: (claim) => claim.pattern,
    sentence: (claim) => `the output matches /${claim.pattern}/`,
  }),
  min_count: define("min_count", {
    fields: { pattern: required(pattern({ multiline: true })), count: required(int({ min: 0 })) },
    claim: (values) => ({ pattern: values.pattern, count: values.count }),
    spell: (claim) => ({ pattern: claim.pattern, count: claim.count }),
    subject: (claim) => claim.pattern,
    sentence: (claim) => `the output matches /${claim.pattern}/ at least ${times(claim.count)}`,
  }),
  min_length: lengthWord("min_length", "at least"),
  max_length: lengthWord("max_length", "at most"),
  has_urls: countWord("has_urls", "URLs"),
  has_entries: countWord("has_entries", "numbered entries"),
  urls_reachable: countWord("urls_reachable", "reachable URLs"),
  has_format: define("has_format", {
    fields: { format: required(text()), count: optional(int({ min: 0 }), 1) },
    claim: (values) => ({ format: values.format, count: values.count }),
    spell: (claim) => ({ format: claim.format, ...withCount(claim.count) }),
    subject: (claim) => claim.format,
    sentence: (claim) => `the output has ${claim.format} at least ${times(claim.count)}`,
  }),
  final_json: define("final_json", {
    fields: JSON_FIELDS,
    rule: oneExpectation,
    claim: (values) => ({ path: values.at, expected: toExpectation(values) }),
    spell: (claim) => spellJson(claim.path, claim.expected),
    subject: (claim) => claim.path,
    sentence: (claim) => `the final JSON ${expectationText(claim.path, claim.expected)}`,
  }),
  tool_called: define("tool_called", {
    fields: {
      tool: required(text()),
      arguments: optional(pattern()),
      count: optional(int({ min: 1 }), 1),
    },
    claim: (values) => ({ tool: values.tool, arguments: values.arguments, count: values.count }),
    spell: (claim) => ({ tool: claim.tool, ...withArguments(claim.arguments), ...withCount(claim.count) }),
    subject: (claim) => joined(claim.tool, claim.arguments),
    sentence: (claim) =>
      `the tool ${claim.tool} is called${argumentsText(claim.arguments)}${claim.count === 1 ? "" : ` at least ${times(claim.count)}`}`,
  }),
  tool_not_called: define("tool_not_called", {
    fields: { tool: required(text()), arguments: optional(pattern()) },
    claim: (values) => ({ tool: values.tool, arguments: values.arguments }),
    spell: (claim) => ({ tool: claim.tool, ...withArguments(claim.arguments) }),
    subject: (claim) => joined(claim.tool, claim.arguments),
    sentence: (claim) => `the tool ${claim.tool} is not called${argumentsText(claim.arguments)}`,
  }),
  tool_order: define("tool_order", {
    fields: { tools: required(list(text(), { minLength: 1 })) },
    claim: (values) => ({ tools: values.tools }),
    spell: (claim) => ({ tools: claim.tools }),
    subject: (claim) => claim.tools.join(","),
    sentence: (claim) => `the tools are called in this order: ${claim.tools.join(", ")}`,
  }),
  skill_loaded: define("skill_loaded", {
    fields: { skill: optional(text()) },
    claim: (values) => ({ skill: values.skill }),
    spell: (claim) => (claim.skill === null ? {} : { skill: claim.skill }),
    subject: (claim) => claim.skill ?? "",
    sentence: (claim) => `the skill ${claim.skill ?? "under test"} is loaded`,
  }),
  no_denied_tools: define("no_denied_tools", {
    fields: {},
    claim: () => ({}),
    spell: () => ({}),
    subject: () => "",
    sentence: () => "no tool call is denied",
  }),
  file_exists: pathWord("file_exists", "exists"),
  file_absent: pathWord("file_absent", "does not exist"),
  file_unchanged: pathWord("file_unchanged", "is unchanged"),
  file_matches: define("file_matches", {
    fields: { path: required(workspacePath()), pattern: required(pattern()) },
    claim: (values) => ({ path: values.path, pattern: values.pattern }),
    spell: (claim) => ({ path: claim.path, pattern: claim.pattern }),
    subject: (claim) => joined(claim.path, claim.pattern),
    sentence: (claim) => `the file ${claim.path} matches /${claim.pattern}/`,
  }),
  file_json: define("file_json", {
    fields: { path: required(workspacePath()), ...JSON_FIELDS },
    rule: oneExpectation,
    claim: (values) => ({ path: values.path, at: values.at, expected: toExpectation(values) }),
    spell: (claim) => ({ path: claim.path, ...spellJson(claim.at, claim.expected) }),
    subject: (claim) => joined(claim.path, claim.at),
    sentence: (claim) => `the JSON file ${claim.path} ${expectationText(claim.at, claim.expected)}`,
  }),
  max_cost_usd: limitWord("max_cost_usd", number({ min: 0 }), "US dollars"),
  max_tokens: limitWord("max_tokens", int({ min: 0 }), "tokens"),
  max_duration_seconds: limitWord("max_duration_seconds", number({ min: 0 }), "seconds"),
  max_turns: limitWord("max_turns", int({ min: 0 }), "turns"),
  criterion: define("criterion", {
    fields: { text: required(text()) },
    claim: () => ({}),
    spell: () => ({}),
    subject: () => "",
    sentence: () => "",
  }),
};

function needleWord(kind: "contains" | "not_contains" | "starts_with" | "ends_with", verb: string): Word {
  return define(kind, {
    fields: { needle: required(text({ blank: "allowed" })), ignore_case: optional(bool(), false) },
    claim: (values) => ({ needle: values.needle, ignoreCase: values.ignore_case }),
    spell: (claim) => ({ needle: claim.needle, ...(claim.ignoreCase ? { ignore_case: true } : {}) }),
    subject: (claim) => claim.needle,
    sentence: (claim) => `the output ${verb} ${JSON.stringify(claim.needle)}`,
  });
}

function lengthWord(kind: "min_length" | "max_length", bound: string): Word {
  return define(kind, {
    fields: { length: required(int({ min: 0 })) },
    claim: (values) => ({ length: values.length }),
    spell: (claim) => ({ length: claim.length }),
    subject: (claim) => String(claim.length),
    sentence: (claim) => `the output has ${bound} ${claim.length} characters`,
  });
}

function countWord(kind: "has_urls" | "has_entries" | "urls_reachable", what: string): Word {
  return define(kind, {
    fields: { count: optional(int({ min: 0 }), 1) },
    claim: (values) => ({ count: values.count }),
    spell: (claim) => withCount(claim.count),
    subject: (claim) => String(claim.count),
    sentence: (claim) => `the output has at least ${claim.count} ${what}`,
  });
}

function pathWord(kind: "file_exists" | "file_absent" | "file_unchanged", verb: string): Word {
  return define(kind, {
    fields: { path: required(workspacePath()) },
    claim: (values) => ({ path: values.path }),
    spell: (claim) => ({ path: claim.path }),
    subject: (claim) => claim.path,
    sentence: (claim) => `the file ${claim.path} ${verb}`,
  });
}

function limitWord(kind: LimitClaim["kind"], limit: Shape<number>, unit: string): Word {
  return define(kind, {
    fields: { limit: required(limit) },
    claim: (values) => ({ limit: values.limit }),
    spell: (claim) => ({ limit: claim.limit }),
    subject: (claim) => String(claim.limit),
    sentence: (claim) => `the run takes at most ${claim.limit} ${unit}`,
  });
}

/** A Python regular expression, compiled now so that a slip is found before a run. */
function pattern(options: { multiline?: boolean } = {}): Shape<string> {
  return refine(text({ blank: "allowed" }), (value, context, node) => {
    const compiled = compilePython(value, options);
    if (compiled.ok) return value;
    return invalid(context, node, {
      code: "bad-pattern",
      message: `${pathText(context.path)} is not a Python regular expression: ${compiled.message}`,
      hint: `in ${JSON.stringify(value)}, at character ${compiled.offset + 1}`,
    });
  });
}

/** A path or glob relative to the workspace that cannot leave it. */
export function workspacePath(): Shape<string> {
  return refine(text(), (path, context, node) => {
    const problem = pathProblem(path);
    if (problem === null) return path;
    return invalid(context, node, {
      code: "bad-path",
      message: `${pathText(context.path)} ${pathProblemText(problem)}: ${JSON.stringify(path)}`,
      hint: "give a path relative to the workspace",
    });
  });
}

function oneExpectation(values: JsonValues, context: ReadContext, node: DocNode): boolean {
  if (values.equals === null || values.matches === null) return true;
  invalid(context, node, {
    code: "two-expectations",
    message: `${pathText(context.path)} has both "equals" and "matches"`,
    hint: "keep one, or write two checks",
  });
  return false;
}

function toExpectation(values: JsonValues): JsonExpectation {
  if (values.equals !== null) return { kind: "equals", value: values.equals.value };
  if (values.matches !== null) return { kind: "matches", pattern: values.matches };
  return { kind: "present" };
}

function spellJson(at: string, expected: JsonExpectation): JsonObject {
  return {
    ...(at === "" ? {} : { at }),
    ...(expected.kind === "equals" ? { equals: expected.value } : {}),
    ...(expected.kind === "matches" ? { matches: expected.pattern } : {}),
  };
}

function expectationText(at: string, expected: JsonExpectation): string {
  const place = at === "" ? "" : ` at ${at}`;
  switch (expected.kind) {
    case "present":
      return at === "" ? "is there" : `has a value${place}`;
    case "equals":
      return `equals ${JSON.stringify(expected.value)}${place}`;
    case "matches":
      return `matches /${expected.pattern}/${place}`;
  }
}

function argumentsText(pattern: string | null): string {
  return pattern === null ? "" : ` with arguments that match /${pattern}/`;
}

function withArguments(pattern: string | null): JsonObject {
  return pattern === null ? {} : { arguments: pattern };
}

function withCount(count: number): JsonObject {
  return count === 1 ? {} : { count };
}

function joined(first: string, second: string | null): string {
  return second === null || second === "" ? first : `${first} ${second}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
