import { describe, expect, it } from "vitest";
import { scriptedJudge } from "../fixtures/scripted-judge.ts";
import { says } from "../fixtures/criteria-replies.ts";
import { PRICE, graded } from "./fixtures/graded-criteria.ts";

describe("several opinions", () => {
  const pass = says([{ evidence: [PRICE], passed: true, score: 0.8 }]);
  const fail = says([{ evidence: [PRICE], passed: false, score: 0.2 }]);

  it.each([
    ["two of three pass", [pass, pass, fail], "passed", 0.8],
    ["two of three fail", [fail, pass, fail], "failed", 0.2],
    ["half against half", [pass, fail], "unscored", null],
    ["one abstains", [pass, pass, () => ""], "passed", 0.8],
    ["most abstain", [pass, () => "", () => ""], "unscored", null],
  ] as const)("%s", async (_, scripts, status, score) => {
    const judges = scripts.map((script, index) => scriptedJudge(script, `m${index}`));
    const { grading } = await graded(["a"], [], {}, { judges });
    expect(grading.verdicts[0]).toMatchObject({ status, score });
    expect(grading.agreement?.judges).toBe(scripts.length);
    expect(grading.judgeModel).toBe(judges.map((judge) => judge.model).join(", "));
  });

  it("of one model on several seats are asked for anew", async () => {
    const repetitions: number[] = [];
    const judge = scriptedJudge((question) => {
      repetitions.push(question.repetition);
      return pass(question);
    });
    const other = scriptedJudge((question) => {
      repetitions.push(10 + question.repetition);
      return pass(question);
    }, "other");
    await graded(["a"], [], {}, { judges: [judge, other, judge], runs: 2 });
    expect(new Set(repetitions)).toEqual(new Set([0, 1, 2, 3, 10, 11]));
  });

  it("of one judge asked again and again are told apart in the question and reported", async () => {
    const repetitions: number[] = [];
    const judge = scriptedJudge((question) => {
      repetitions.push(question.repetition);
      return question.repetition === 1 ? fail(question) : pass(question);
    });
    const { grading } = await graded(["a"], [], {}, { judges: [judge], runs: 3 });
    expect(new Set(repetitions)).toEqual(new Set([0, 1, 2]));
    expect(grading.verdicts[0]).toMatchObject({
      status: "passed",
      reason: "because (2 of 3 runs of the judge say so)",
    });
    expect(grading.agreement).toEqual({
      judges: 1,
      runs: 3,
      betweenJudges: null,
      alpha: null,
      withinJudges: 1 / 3,
    });
  });
});
