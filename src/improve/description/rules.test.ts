import { describe, expect, it } from "vitest";
import { descriptionProblem } from "./rules.ts";

describe("a description", () => {
  it.each([
    ["Use it.", /^fine$/],
    ["x".repeat(1024), /^fine$/],
    ["🙂".repeat(1024), /^fine$/],
    ["x".repeat(1025), /1025 characters/],
    ["  ", /empty/],
    ["Use <b>", /angle brackets/],
    ["a > b", /angle brackets/],
  ])("%.20s is held to what lint says", (text, problem) => {
    expect(descriptionProblem(text) ?? "fine").toMatch(problem);
  });
});
