import { describe, expect, it } from "vitest";
import { BENIGN_TEXTS } from "../fixtures/benign-texts.ts";
import { INJECTIONS } from "../fixtures/injections.ts";
import { addressedIn, isAddressed } from "./addressed.ts";

describe("text that speaks to a judge", () => {
  it.each(INJECTIONS)("is noticed: $name", ({ text, into }) => {
    const found =
      into === "file-name" || into === "tool-name" ? isAddressed(text) : addressedIn(text).length > 0;
    expect(found).toBe(true);
  });
});

describe("text that does not speak to a judge", () => {
  it("is enough to try", () => expect(new Set(BENIGN_TEXTS).size).toBeGreaterThanOrEqual(60));

  it.each(BENIGN_TEXTS)("is left alone: %s", (text) => {
    expect(addressedIn(text)).toEqual([]);
  });

  it.each([
    "grading-rubric.md",
    "pass-criteria.csv",
    "score_all.py",
    "judge-report.md",
    "mcp__evaluator__run",
    "Bash",
  ])("is left alone as a name: %s", (name) => expect(isAddressed(name)).toBe(false));
});
