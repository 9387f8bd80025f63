import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonPath, sameJson, valueAt } from "./json-path.ts";

it.each<[string, readonly (string | number)[] | null]>([
  ["", []],
  ["$", []],
  ["a", ["a"]],
  ["$.a", ["a"]],
  ["$a", ["$a"]],
  ["a.b[0].c", ["a", "b", 0, "c"]],
  ["[0][1]", [0, 1]],
  ["$[0]", [0]],
  ["items.0", ["items", "0"]],
  ['["a.b"]', ["a.b"]],
  ['a["say \\"hi\\""]', ["a", 'say "hi"']],
  ["['a b'].c", ["a b", "c"]],
  ["odd key.é", ["odd key", "é"]],
  ["a..b", null],
  ["a.", null],
  ["a[", null],
  ["a[x]", null],
  ["a]b", null],
])("reads the path %j", (path, steps) => {
  expect(parseJsonPath(path)).toEqual(steps);
});

it.each<[unknown, readonly (string | number)[], unknown]>([
  [{ a: [{ b: 1 }] }, ["a", 0, "b"], 1],
  [{ a: [{ b: 1 }] }, ["a", "0", "b"], 1],
  [{ a: 1 }, ["a", "b"], undefined],
  [{ 0: "x" }, [0], "x"],
  [[1, 2], [-1], undefined],
  [[1, 2], ["length"], undefined],
  [{}, ["toString"], undefined],
  [{}, ["__proto__"], undefined],
  [null, ["a"], undefined],
  ["text", [0], undefined],
  [null, [], null],
])("in %j finds at %j the value %j", (value, steps, found) => {
  expect(valueAt(value, steps)).toEqual(found);
});

describe("sameJson", () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: null }, false],
    [[], {}, false],
    [null, {}, false],
    [1, "1", false],
  ])("of %j and %j is %s", (a, b, same) => {
    expect(sameJson(a, b)).toBe(same);
  });

  it("holds for every value and its copy", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameJson(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });
});
