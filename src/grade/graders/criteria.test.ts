import { describe, expect, it } from "vitest";
import { canaryIndex, criteriaIn, says } from "../fixtures/criteria-replies.ts";
import { cachedJudge } from "../judges/cached.ts";
import { EVENTS, PRICE, quote, graded, scripted } from "./fixtures/graded-criteria.ts";

describe("criteria", () => {
  it("are decided in one question, evidence checked and cited by line or event", async () => {
    const { grading, judge } = await graded(
      ["names the price", "names risks", "asks a question"],
      [
        says([
          { evidence: [PRICE], passed: true, score: 0.9 },
          { evidence: [quote("wrote the brief", "event 4")], passed: true },
          { evidence: [{ kind: "absence", text: "a question", sources: ["output"] }], passed: false },
        ]),
      ],
    );
    expect(judge.heard).toHaveLength(1);
    expect(judge.purposes).toEqual(["criteria"]);
    expect(grading.verdicts.map(({ status, score, evidence }) => ({ status, score, evidence }))).toEqual([
      {
        status: "passed",
        score: 0.9,
        evidence: [
          { kind: "quote", text: "Price: 40 €", source: { kind: "file", path: "brief.md", line: 3 } },
        ],
      },
      {
        status: "passed",
        score: 1,
        evidence: [{ kind: "quote", text: "wrote the brief", source: { kind: "event", index: 4 } }],
      },
      {
        status: "failed",
        score: 0,
        evidence: [{ kind: "absence", searched: [{ kind: "event", index: 4 }] }],
      },
    ]);
    expect(grading.judgeModel).toBe("scripted-1");
    expect(grading.usage.inputTokens).toBe(100);
  });

  it("see what the author expects as context that is not scored", async () => {
    const { judge } = await graded(["a"], [says([{ evidence: [PRICE], passed: true }])], {
      case: { expectedOutput: "A brief with a price" },
    });
    expect(judge.heard[0]).toContain("for context only, not to be scored:\nA brief with a price");
  });

  it("see all turns, tool calls and results, and no thinking", async () => {
    const { judge } = await graded(["a"], [says([{ evidence: [PRICE], passed: true }])]);
    for (const text of [
      "Write a brief for John",
      "call of Write",
      "ok, 2 lines",
      "I wrote the brief",
      "Write x1",
      '"brief.md": created, 44 bytes',
    ]) {
      expect(judge.heard[0]).toContain(text);
    }
    expect(judge.heard[0]).not.toContain("secret thoughts");
  });

  it("do not see which variant ran or where it is kept", async () => {
    const path = "/home/me/.assay/demo/iteration-3/eval-1/without_skill/run-2/outputs/a.md";
    const { judge } = await graded(["a"], [says([{ evidence: [PRICE], passed: true }])], {
      variant: "without_skill",
      events: [
        ...EVENTS,
        { kind: "tool-call", callId: "2", tool: "Bash", input: { command: `cat ${path}` } },
      ],
    });
    expect(judge.heard[0]).not.toMatch(/with_skill|without_skill|assay-grade/);
    expect(judge.heard[0]).toContain("eval-1/variant/run-2");
  });

  it("bring claims and criticism of the checks, without our own control criterion", async () => {
    const { grading } = await graded(["names the price", "is good"], (question) => {
      const canary = canaryIndex(question);
      const own = criteriaIn(question).findIndex((text) => text.includes("is good")) + 1;
      return {
        ...says([
          { evidence: [PRICE], passed: true },
          { evidence: [PRICE], passed: true },
        ])(question),
        claims: [
          { claim: "40 €", type: "factual", verified: true, evidence: "brief.md" },
          { claim: "no type", type: "other", verified: true, evidence: "" },
        ],
        eval_feedback: {
          suggestions: [
            { criterion: own, reason: "too vague" },
            { criterion: canary, reason: "odd word" },
            { criterion: null, reason: "nobody checks the file's format" },
          ],
          overall: "Presence, not correctness.",
        },
      };
    });
    expect(grading.claims).toEqual([
      { claim: "40 €", type: "factual", verified: true, evidence: "brief.md" },
    ]);
    expect(grading.evalFeedback).toEqual({
      suggestions: [
        { assertion: "is good", reason: "too vague" },
        { assertion: null, reason: "nobody checks the file's format" },
      ],
      overall: "Presence, not correctness.",
    });
  });

  it("stay unscored without a judge, and say what to do", async () => {
    const { grading } = await graded(["a", "b"], [], {}, { judges: [] });
    expect(grading.verdicts.map((verdict) => verdict.status)).toEqual(["unscored", "unscored"]);
    expect(grading.verdicts[0]?.reason).toMatch(/no judge is configured: set ANTHROPIC_API_KEY/);
  });

  it("fail without a question when the declared output was not written", async () => {
    const { grading, judge } = await graded(["a"], [], {
      output: null,
      case: { output: { kind: "files", file: "out.md", patterns: [] } },
    });
    expect(grading.verdicts[0]).toMatchObject({ status: "failed", evidence: [{ kind: "outcome" }] });
    expect(judge.heard).toEqual([]);
  });
});

it("an unchanged run is judged again without a call, also where the first reply had to be asked for again", async () => {
  const answers = new Map<string, string>();
  const store = {
    get: async (key: string) => answers.get(key) ?? null,
    put: async (key: string, text: string) => void answers.set(key, text),
  };
  const model = scripted([
    says([
      { evidence: [PRICE], passed: true },
      { evidence: [], passed: true },
    ]),
    says([{ evidence: [PRICE], passed: false }]),
  ]);
  const judges = [cachedJudge(model, store)];
  const first = await graded(["a", "b"], [], {}, { judges });
  expect(model.heard).toHaveLength(2);
  const second = await graded(["a", "b"], [], {}, { judges });
  expect(model.heard).toHaveLength(2);
  const remembered = first.grading.verdicts.map((verdict) => ({ ...verdict, cached: true }));
  expect(second.grading.verdicts).toEqual(remembered);
  expect(first.grading.verdicts.map((verdict) => verdict.status)).toEqual(["passed", "failed"]);
  await graded(["a", "c"], [], {}, { judges });
  expect(model.heard.length).toBeGreaterThan(2);
});
