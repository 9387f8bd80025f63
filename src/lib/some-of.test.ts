import { expect, it } from "vitest";
import { someOf } from "./some-of.ts";

it("names all of a few, and counts the rest of many", () => {
  expect(someOf(["a", "b"])).toBe("a, b");
  expect(someOf(["a", "b", "c"], 3)).toBe("a, b, c");
  expect(someOf(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
