import { expect, it } from "vitest";
import { adviceOf } from "./advice.ts";

const suggestion = (priority: string, of: string) => ({
  priority,
  category: "instructions",
  suggestion: `Do it ${priority}.`,
  expected_impact: "More holds.",
  transcript: { of, event: 3, quote: "hi" },
  skill: { of, file: "SKILL.md", line: 6, quote: "Say hello." },
});

it("tells the weightiest suggestion first, with what it cites by version", () => {
  const advice = adviceOf({
    versions: { winner: "v2", loser: "v1" },
    improvement_suggestions: [
      suggestion("low", "winner"),
      suggestion("high", "loser"),
      suggestion("medium", "winner"),
    ],
  });
  expect(advice.map((line) => line.split("\n")[0])).toEqual([
    "high, instructions: Do it high.",
    "medium, instructions: Do it medium.",
    "low, instructions: Do it low.",
  ]);
  expect(advice[0]).toBe(`high, instructions: Do it high.
  to gain: More holds.
  concerns SKILL.md:6 of v1: "Say hello."
  seen in a run of v1: "hi"`);
});

it.each([[null], [[]], [{}], [{ improvement_suggestions: "none" }]])("advises nothing from %j", (file) => {
  expect(adviceOf(file)).toEqual([]);
});
