import { describe, expect, it } from "vitest";
import type { Json } from "../domain/json.ts";
import { spellCheck } from "./assay-check.ts";
import { wordNames } from "./assay-words.ts";
import { must, read, ENTRIES } from "./fixtures/assay-key.ts";

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
      'missing-key: assay.checks[0] has no "type" that says what to check',
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
