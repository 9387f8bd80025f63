import { describe, expect, it } from "vitest";
import { descriptionProblem } from "./rules.ts";

describe("a description", () => {
  it.each([
    ["Use it.", null],
    ["x".repeat(1024), null],
    ["🙂".repeat(1024), null],
    ["x".repeat(1025), /1025 characters/],
    ["  ", /empty/],
    ["Use <b>", /angle brackets/],
    ["a > b", /angle brackets/],
  ])("%.20s is held to what lint says", (text, problem) => {
    if (problem === null) expect(descriptionProblem(text)).toBeNull();
    else expect(descriptionProblem(text)).toMatch(problem);
  });
});
