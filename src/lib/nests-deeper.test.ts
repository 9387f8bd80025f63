import fc from "fast-check";
import { expect, it } from "vitest";
import { nestsDeeper } from "./nests-deeper.ts";

it.each([
  ["[[[]]]", false],
  ["[[[[]]]]", true],
  ['{"a":[{"b":1}]}', false],
  ['{"a":[{"b":[]}]}', true],
  ["[],[],[],[],[],[]", false],
  ['["[[[[[[", "a\\"[[[[", "\\\\"]', false],
  ['["\\\\", [[[1]]]]', true],
  ['["not closed [[[[[[[', false],
])("%s: %s", (json, deeper) => {
  expect(nestsDeeper(json, 3)).toBe(deeper);
});

it("agrees with a walk over the value", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 8, depthSize: "max" }),
      fc.integer({ min: 0, max: 6 }),
      (value, most) => {
        expect(nestsDeeper(JSON.stringify(value), most)).toBe(depthOf(value) > most);
      },
    ),
  );
});
