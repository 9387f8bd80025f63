import { describe, expect, it } from "vitest";
import { recognised } from "./fixtures/spec-files.ts";

describe("clauditor recognises", () => {
  it.each([
    [{ test_args: "" }],
    [{ grading_criteria: ["old style"] }],
    [{ trigger_tests: { should_trigger: [] } }],
    [{ assertions: [{ type: "has_urls", value: "3" }] }],
    [{ sections: [{ name: "A", tiers: [] }] }],
    [{ sections: [{ name: "A", fields: [] }] }],
    [{ skill_name: "a", grade_thresholds: {} }],
    [{ allow_hang_heuristic: false }],
  ])("%j by its content", (value) => {
    expect(recognised(value)).toBe("certain");
  });

  it.each([
    [{}, "likely"],
    [{ skill_name: "a", description: "b" }, "likely"],
    [{ system_prompt: "You are careful." }, "likely"],
    [{ score: null, version: "1.0", graded_at: null }, null],
    [{ skill_name: "a", evals: [] }, null],
    [{ cases: [], test_args: "" }, null],
    [[], null],
  ])("%j in a file of its name as %s", (value, confidence) => {
    expect(recognised(value, "/x/SKILL.eval.json")).toBe(confidence);
    expect(recognised(value, "/x/eval.json")).toBe(confidence);
  });

  it.each([
    [{}],
    [{ skill_name: "a", description: "b" }],
    [{ assertions: ["says hello"] }],
    [{ assertions: [{ type: "llm-rubric", value: "polite" }] }],
    [{ should_trigger: ["a"], should_not_trigger: [] }],
    [{ sections: ["intro"] }],
    [[{ query: "a", should_trigger: true }]],
    ["text"],
    [null],
  ])("nothing of its own in %j", (value) => {
    expect(recognised(value)).toBeNull();
  });
});
