import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const WORDS = ["check", "convert", "list", "package", "expected_output", "needle"];

describe("nearest", () => {
  it.each([
    ["chek", "check"],
    ["hceck", "check"],
    ["CHECK", "check"],
    ["expectedOutput", "expected_output"],
    ["expected-output", "expected_output"],
    ["nedle", "needle"],
    ["pakcage", "package"],
  ])("finds what %s was meant to be", (word, meant) => {
    expect(nearest(word, WORDS)).toBe(meant);
  });

  it.each(["", "x", "run", "somethingelse", "chipmunk"])("does not guess at %j", (word) => {
    expect(nearest(word, WORDS)).toBeNull();
  });

  it("takes the nearest of several, the first of equals", () => {
    expect(nearest("lists", ["lost", "list"])).toBe("list");
    expect(nearest("bat", ["cat", "hat"])).toBe("cat");
    expect(nearest("anything", [])).toBeNull();
  });
});
