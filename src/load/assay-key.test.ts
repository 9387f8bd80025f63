import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../domain/check.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Case } from "../domain/suite.ts";
import { parseJson } from "../lib/document/json.ts";
import { type DocNode, valueOf } from "../lib/document/node.ts";
import { INVALID, ROOT, type ShapeProblem } from "../lib/shape/shape.ts";
import { spellCheck } from "./assay-check.ts";
import { applyAssayKey } from "./apply-assay-key.ts";
import { type AssayKey, type AssayScope, assayKeyShape } from "./assay-key.ts";
import { writeAssayKey } from "./write-assay-key.ts";
import { wordFor, wordNames } from "./assay-words.ts";
import { aCase } from "../../test/support/cases.ts";

const CRITERION: Check = {
  id: "grouped",
  layer: "L3",
  text: "Changes are grouped by kind",
  appliesTo: "every-variant",
  origin: null,
  kind: "criterion",
};

const TASK = aCase({ at: { file: "evals.json", line: 1, column: 1 }, checks: [CRITERION] });

const TRIGGER: Case = {
  ...TASK,
  kind: "trigger",
  checks: [
    {
      id: "fires",
      layer: "trigger",
      text: "the skill stays silent",
      appliesTo: "every-variant",
      origin: null,
      kind: "fires",
      expected: false,
      skill: null,
      forbidden: [],
    },
  ],
};

function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("the test expected a value");
  return value;
}

function parse(text: string): DocNode {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error("the test's JSON does not parse");
  return parsed.root;
}

function read(value: Json, scope: AssayScope): { key: AssayKey | null; problems: readonly ShapeProblem[] } {
  const problems: ShapeProblem[] = [];
  const key = assayKeyShape(scope).read(parse(JSON.stringify(value)), {
    path: { parent: ROOT, key: "assay" },
    report: (problem) => problems.push(problem),
  });
  return { key: key === INVALID ? null : key, problems };
}

function apply(evalCase: Case, keys: { file?: Json; own?: Json }): { applied: Case | null; told: string[] } {
  const told: string[] = [];
  const readOr = (value: Json | undefined, scope: AssayScope) =>
    value === undefined ? null : must(read(value, scope).key);
  const applied = applyAssayKey(
    evalCase,
    { file: readOr(keys.file, "file"), own: readOr(keys.own, evalCase.kind) },
    (problem) => told.push(`${problem.code}: ${problem.message}`),
  );
  return { applied, told };
}

const hosts = (check: Check): boolean => check.kind === "criterion" || check.kind === "fires";

/** One complete entry of every type, and the claim it stands for. */
const ENTRIES: readonly (readonly [JsonObject, JsonObject])[] = [
  [
    { type: "contains", needle: "a" },
    { kind: "contains", needle: "a", ignoreCase: false },
  ],
  [
    { type: "not_contains", needle: "a", ignore_case: true },
    { kind: "not_contains", ignoreCase: true },
  ],
  [
    { type: "starts_with", needle: "#" },
    { kind: "starts_with", needle: "#" },
  ],
  [
    { type: "ends_with", needle: "." },
    { kind: "ends_with", needle: "." },
  ],
  [
    { type: "regex", pattern: "v\\d" },
    { kind: "regex", pattern: "v\\d" },
  ],
  [
    { type: "min_count", pattern: "^- ", count: 3 },
    { kind: "min_count", count: 3 },
  ],
  [
    { type: "min_length", length: 10 },
    { kind: "min_length", length: 10 },
  ],
  [
    { type: "max_length", length: 10 },
    { kind: "max_length", length: 10 },
  ],
  [{ type: "has_urls" }, { kind: "has_urls", count: 1 }],
  [
    { type: "has_entries", count: 4 },
    { kind: "has_entries", count: 4 },
  ],
  [
    { type: "urls_reachable", count: 2 },
    { kind: "urls_reachable", count: 2 },
  ],
  [
    { type: "has_format", format: "email" },
    { kind: "has_format", format: "email", count: 1 },
  ],
  [
    { type: "word_count", min: 10, max: 200 },
    { kind: "word_count", min: 10, max: 200 },
  ],
  [
    { type: "word_count", max: 200 },
    { kind: "word_count", min: null, max: 200 },
  ],
  [{ type: "final_json" }, { kind: "final_json", path: "", expected: { kind: "present" } }],
  [
    { type: "final_json", at: "a.b", equals: null },
    { kind: "final_json", path: "a.b", expected: { kind: "equals", value: null } },
  ],
  [
    { type: "final_json", at: "a", matches: "^x" },
    { kind: "final_json", expected: { kind: "matches", pattern: "^x" } },
  ],
  [
    { type: "tool_called", tool: "Bash" },
    { kind: "tool_called", arguments: null, count: 1 },
  ],
  [
    { type: "tool_called", tool: "Bash", arguments: "git", count: 2 },
    { kind: "tool_called", arguments: "git", count: 2 },
  ],
  [
    { type: "tool_not_called", tool: "WebFetch" },
    { kind: "tool_not_called", tool: "WebFetch" },
  ],
  [
    { type: "tool_order", tools: ["Read", "Write"] },
    { kind: "tool_order", tools: ["Read", "Write"] },
  ],
  [{ type: "skill_loaded" }, { kind: "skill_loaded", skill: null, appliesTo: "with-skill" }],
  [
    { type: "skill_loaded", skill: "pdf", applies_to: "every-variant" },
    { kind: "skill_loaded", skill: "pdf", appliesTo: "every-variant" },
  ],
  [{ type: "no_denied_tools" }, { kind: "no_denied_tools" }],
  [
    { type: "file_exists", path: "out/*.md" },
    { kind: "file_exists", path: "out/*.md" },
  ],
  [{ type: "file_absent", path: "tmp" }, { kind: "file_absent" }],
  [{ type: "file_unchanged", path: "a.txt" }, { kind: "file_unchanged" }],
  [
    { type: "file_matches", path: "a.md", pattern: "x" },
    { kind: "file_matches", pattern: "x" },
  ],
  [
    { type: "file_json", path: "a.json", at: "n", equals: { deep: [1] } },
    { kind: "file_json", at: "n", expected: { kind: "equals", value: { deep: [1] } } },
  ],
  [
    { type: "max_cost_usd", limit: 0.5 },
    { kind: "max_cost_usd", limit: 0.5 },
  ],
  [
    { type: "max_tokens", limit: 1000 },
    { kind: "max_tokens", limit: 1000 },
  ],
  [
    { type: "max_duration_seconds", limit: 1.5 },
    { kind: "max_duration_seconds", limit: 1.5 },
  ],
  [
    { type: "max_turns", limit: 5 },
    { kind: "max_turns", limit: 5 },
  ],
  [
    { type: "criterion", text: "It is kind" },
    { kind: "criterion", text: "It is kind", layer: "L3" },
  ],
  [
    { type: "custom", grader: "house-style" },
    { kind: "custom", grader: "house-style", with: null },
  ],
  [
    { type: "custom", grader: "house-style", with: { strict: true, words: ["very"] } },
    { kind: "custom", grader: "house-style", with: { strict: true, words: ["very"] } },
  ],
];

describe("checks", () => {
  it("has an example of every type", () => {
    expect(new Set(ENTRIES.map(([entry]) => entry["type"]))).toEqual(new Set(wordNames()));
  });

  it.each(ENTRIES)("reads %j", (entry, claim) => {
    const { key, problems } = read({ checks: [entry] }, "task");
    expect(problems).toEqual([]);
    expect(key?.entries[0]?.check).toMatchObject({ layer: "L1", appliesTo: "every-variant", ...claim });
    expect(key?.entries[0]?.check.text).not.toBe("");
  });

  it.each(ENTRIES)("spells %j as it was, also without the declared entry", (entry) => {
    const check = must(read({ checks: [entry] }, "task").key?.entries[0]?.check);
    expect(spellCheck(check)).toEqual(entry);
    expect(spellCheck({ ...check, origin: null })).toEqual(entry);
  });

  it("lets the name of a grader of one's own follow the word custom itself", () => {
    const entry = { custom: "house-style", with: { strict: true }, id: "style" };
    const check = must(read({ checks: [entry] }, "task").key?.entries[0]?.check);
    expect(check).toMatchObject({
      kind: "custom",
      id: "style",
      grader: "house-style",
      with: { strict: true },
    });
    expect(spellCheck(check)).toEqual(entry);
    const { custom, ...rest } = entry;
    expect(spellCheck({ ...check, origin: null })).toEqual({ type: "custom", grader: custom, ...rest });
  });

  it("keeps id, text and applies_to where they are given", () => {
    const entry = { type: "has_urls", id: "links", text: "It links", applies_to: "with-skill" };
    const check = must(read({ checks: [entry] }, "task").key?.entries[0]?.check);
    expect(check).toMatchObject({ id: "links", text: "It links", appliesTo: "with-skill" });
    expect(spellCheck({ ...check, origin: null })).toEqual(entry);
  });

  it("makes ids from what a check says, so that reordering keeps them", () => {
    const one = { type: "file_exists", path: "a" };
    const two = { type: "contains", needle: "x".repeat(80) };
    const ids = (checks: Json) => read({ checks }, "task").key?.entries.map((entry) => entry.check.id);
    expect(ids([one, two])).toEqual(["file_exists:a", `contains:${"x".repeat(57)}...`]);
    expect(ids([two, one])).toEqual(ids([one, two])?.toReversed());
  });

  it.each([
    [
      [{ type: "file_exist", path: "a" }],
      'unknown-check: assay.checks[0] has the unknown type "file_exist"',
      'did you mean "file_exists"?',
    ],
    [
      [{ file_exists: "a" }],
      'missing-key: assay.checks[0] has no "type", which says what is checked',
      'did you mean {"type": "file_exists", ...}?',
    ],
    [
      [{ type: "file_exists", file: "a" }],
      'missing-key: assay.checks[0] has no "path", which is required',
      undefined,
    ],
    [
      [{ type: "contains", needle: "a", ignoreCase: true }],
      'unknown-key: assay.checks[0] has the unknown key "ignoreCase"',
      'did you mean "ignore_case"?',
    ],
    [
      [{ type: "max_turns", limit: 2.5 }],
      "wrong-type: assay.checks[0].limit must be an integer, not the number 2.5",
      undefined,
    ],
    [
      [{ type: "max_cost_usd", limit: -1 }],
      "out-of-range: assay.checks[0].limit must be at least 0, not -1",
      undefined,
    ],
    [
      [{ type: "file_exists", path: "../a" }],
      'bad-path: assay.checks[0].path leaves its root by "..": "../a"',
      "give a path relative to the workspace",
    ],
    [
      [{ type: "file_exists", path: "/etc/x" }],
      'bad-path: assay.checks[0].path is absolute: "/etc/x"',
      "give a path relative to the workspace",
    ],
    [
      [{ type: "file_json", path: "a", equals: 1, matches: "1" }],
      'two-expectations: assay.checks[0] has both "equals" and "matches"',
      "keep one, or write two checks",
    ],
    [
      [{ type: "word_count" }],
      'no-bound: assay.checks[0] has neither "min" nor "max"',
      "give one of them, or both",
    ],
    [
      [{ type: "word_count", min: 20, max: 10 }],
      'empty-range: assay.checks[0] has a "min" of 20 and a "max" of 10, so it can never hold',
      "swap them",
    ],
    [[{ custom: 3 }], "wrong-type: assay.checks[0].custom must be a string, not the number 3", undefined],
    [
      [{ custom: "house-style", wiht: {} }],
      'unknown-key: assay.checks[0] has the unknown key "wiht"',
      'did you mean "with"?',
    ],
    [
      ["file exists"],
      'wrong-type: assay.checks[0] must be an object, not the string "file exists"',
      undefined,
    ],
  ] as const)("refuses %j", (checks, told, hint) => {
    const { key, problems } = read({ checks }, "task");
    expect(key).toBeNull();
    expect(problems.map((problem) => `${problem.code}: ${problem.message}`)).toContain(told);
    expect(problems.find((problem) => told.startsWith(problem.code))?.hint).toBe(hint);
  });
});

describe("the key's own words", () => {
  it.each([
    [{ cheks: [] }, "task", 'unknown-key: assay has the unknown key "cheks"', 'did you mean "checks"?'],
    [
      { mcpServers: {} },
      "file",
      'unknown-key: assay has the unknown key "mcpServers"',
      'did you mean "mcp_servers"?',
    ],
    [
      { reference: {} },
      "file",
      'misplaced-key: the assay key "reference" has no meaning at the top of the file',
      "it belongs on a task",
    ],
    [
      { checks: [] },
      "trigger",
      'misplaced-key: the assay key "checks" has no meaning on a trigger case',
      "it belongs at the top of the file or on a task",
    ],
    [
      { forbidden: [] },
      "task",
      'misplaced-key: the assay key "forbidden" has no meaning on a task',
      "it belongs on a trigger case",
    ],
    [
      { reference: { files: { "../x": "" } } },
      "task",
      'bad-path: assay.reference leaves its root by "..": "../x"',
      "give a path relative to the workspace",
    ],
    [
      { mcp_servers: { a: "b" } },
      "task",
      'wrong-type: assay.mcp_servers.a must be an object, not the string "b"',
      undefined,
    ],
    ["checks", "task", 'wrong-type: assay must be an object, not the string "checks"', undefined],
  ] as const)("refuses %j on %s", (value, scope, told, hint) => {
    const { key, problems } = read(value, scope);
    expect(key).toBeNull();
    expect(problems.map((problem) => `${problem.code}: ${problem.message}`)).toEqual([told]);
    expect(problems[0]?.hint).toBe(hint);
  });

  it("says every problem at once", () => {
    const { problems } = read({ cheks: 1, skill: "x", with_only: 3 }, "task");
    expect(problems.map((problem) => problem.code)).toEqual(["misplaced-key", "wrong-type", "unknown-key"]);
  });
});

describe("applyAssayKey", () => {
  it("appends the file's checks, then the task's, and fills in the rest", () => {
    const { applied } = apply(TASK, {
      file: {
        checks: [{ type: "no_denied_tools" }],
        mcp_servers: { a: { command: "x" }, b: { command: "y" } },
      },
      own: {
        checks: [{ type: "has_urls" }],
        with_only: ["grouped"],
        reference: { output: "ok" },
        mcp_servers: { b: { command: "z" } },
      },
    });
    expect(applied?.checks.map((check) => [check.id, check.appliesTo])).toEqual([
      ["grouped", "with-skill"],
      ["no_denied_tools", "every-variant"],
      ["has_urls:1", "every-variant"],
    ]);
    expect(applied?.reference).toEqual({ output: "ok", files: {} });
    expect(applied?.mcpServers).toEqual({ a: { command: "x" }, b: { command: "z" } });
  });

  it("routes a trigger case and leaves it without the file's checks", () => {
    const { applied } = apply(TRIGGER, {
      file: { checks: [{ type: "no_denied_tools" }] },
      own: { skill: "xlsx", forbidden: ["docx"] },
    });
    expect(applied?.checks).toMatchObject([
      { kind: "fires", expected: false, skill: "xlsx", forbidden: ["docx"] },
    ]);
  });

  it("numbers equal checks, and refuses a declared id twice", () => {
    const twice = { own: { checks: [{ type: "has_urls" }, { type: "has_urls" }] } };
    expect(apply(TASK, twice).applied?.checks.map((check) => check.id)).toEqual([
      "grouped",
      "has_urls:1",
      "has_urls:1#2",
    ]);
    const clash = apply(TASK, { own: { checks: [{ type: "has_urls", id: "grouped" }] } });
    expect(clash).toEqual({
      applied: null,
      told: ['duplicate-id: the id "grouped" is used by two checks of one case'],
    });
  });

  it("refuses with_only for an id that is not there", () => {
    expect(apply(TASK, { own: { with_only: ["groupd"] } })).toEqual({
      applied: null,
      told: ['unknown-check-id: with_only names "groupd", but the case has no check with that id'],
    });
  });

  it("leaves a case without keys as it is", () => {
    expect(apply(TASK, {}).applied).toBe(TASK);
  });
});

describe("writeAssayKey", () => {
  it.each([
    { checks: [{ type: "has_urls", _why: "links matter" }, { type: "has_urls" }] },
    { checks: [{ type: "regex", pattern: "x" }], with_only: ["grouped", "regex:x"] },
    { reference: { output: "a", files: { "b/c.md": "d" } } },
    { mcp_servers: { a: { command: "x", args: [] } } },
    { _note: "mine", checks: [{ type: "skill_loaded" }] },
  ])("restores %j", (own) => {
    const { applied } = apply(TASK, { own });
    expect(writeAssayKey(must(applied), { hosts })).toEqual({ key: own, losses: [] });
  });

  it("restores a trigger case's routing", () => {
    const own = { skill: "xlsx", forbidden: ["docx"] };
    const { applied } = apply(TRIGGER, { own });
    expect(writeAssayKey(must(applied), { hosts })).toEqual({ key: own, losses: [] });
  });

  it("leaves to the file's key what it says", () => {
    const file = { checks: [{ type: "no_denied_tools" }], mcp_servers: { a: { command: "x" } } };
    const own = { checks: [{ type: "has_urls" }], mcp_servers: { b: { command: "y" } } };
    const applied = must(apply(TASK, { file, own }).applied);
    expect(writeAssayKey(applied, { hosts, fileKey: file }).key).toEqual(own);
    expect(writeAssayKey(applied, { hosts }).key).toEqual({
      checks: [{ type: "no_denied_tools" }, { type: "has_urls" }],
      mcp_servers: { ...file.mcp_servers, ...own.mcp_servers },
    });
  });

  it("says nothing for a case the format can write alone", () => {
    expect(writeAssayKey(TASK, { hosts })).toEqual({ key: null, losses: [] });
  });

  it("names what neither has words for", () => {
    const extraction: Check = {
      ...CRITERION,
      id: "count",
      layer: "L2",
      text: "At least 3 venues",
      kind: "entries",
      section: "Venues",
      tier: "default",
      min: 3,
      max: null,
    };
    const { key, losses } = writeAssayKey({ ...TASK, checks: [extraction] }, { hosts });
    expect({ key, losses }).toEqual({ key: null, losses: ['the check "At least 3 venues" (entries)'] });
  });
});

describe("any input", () => {
  const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => parseJson(JSON.stringify(value)).ok);
  const scopes = fc.constantFrom<AssayScope>("file", "task", "trigger");
  const entry = fc.record(
    { type: fc.constantFrom(...wordNames()), needle: json, path: json, count: json, limit: json, at: json },
    { requiredKeys: ["type"] },
  );

  it("is read or refused with a reason, never thrown at", () => {
    const value = fc.oneof(
      json,
      fc.record({ checks: fc.array(entry), with_only: json }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(value, scopes, (value, scope) => {
        const { key, problems } = read(value as Json, scope);
        expect(key === null).toBe(problems.some((problem) => problem.severity === "error"));
      }),
    );
  });

  it("is restored by writing when it was read", () => {
    const keys = fc.record(
      {
        checks: fc.array(fc.constantFrom(...ENTRIES.map(([entry]) => entry))),
        reference: fc.record({ output: fc.string() }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(keys, (own) => {
        const applied = must(apply(TASK, { own }).applied);
        const written = writeAssayKey(applied, { hosts }).key;
        expect(apply(TASK, written === null ? {} : { own: written }).applied).toEqual(applied);
      }),
    );
  });
});

describe("docs/assay-key.md", () => {
  const page = readFileSync(new URL("../../docs/assay-key.md", import.meta.url), "utf8");
  const example = parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "");

  it("shows a key that loads, at the top and on a case", () => {
    const evals = valueOf(example, "evals");
    const [first] = evals?.kind === "array" ? evals.elements : [];
    for (const [node, scope] of [
      [example, "file"],
      [first, "task"],
    ] as const) {
      const key = node === undefined ? undefined : valueOf(node, "assay");
      const problems: ShapeProblem[] = [];
      const context = { path: ROOT, report: (problem: ShapeProblem) => problems.push(problem) };
      const read = assayKeyShape(scope).read(must(key), context);
      expect(problems).toEqual([]);
      expect(read === INVALID ? 0 : read.entries.length).toBeGreaterThan(1);
    }
  });
});

describe("docs/checks.md", () => {
  const page = readFileSync(new URL("../../docs/checks.md", import.meta.url), "utf8");

  it("lists every check type and no other", () => {
    const rows = page.slice(page.indexOf("| type |"), page.indexOf("## The text")).split("\n").slice(2);
    const listed = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1]),
    );
    expect(new Set(listed)).toEqual(new Set(wordNames()));
    expect(listed.every((name) => wordFor(name ?? "") !== null)).toBe(true);
  });
});
