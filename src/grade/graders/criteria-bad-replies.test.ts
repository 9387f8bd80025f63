import { describe, expect, it } from "vitest";
import type { Script } from "../fixtures/scripted-judge.ts";
import { says } from "../fixtures/criteria-replies.ts";
import { PRICE, quote, graded } from "./fixtures/graded-criteria.ts";

describe("bad replies", () => {
  const good = says([
    { evidence: [PRICE], passed: true },
    { evidence: [PRICE], passed: true },
  ]);
  const goodText = (question: Parameters<typeof good>[0]): string => JSON.stringify(good(question));
  const changed =
    (change: (verdict: Record<string, unknown>, index: number) => unknown) =>
    (question: Parameters<typeof good>[0]): Script => ({
      ...good(question),
      verdicts: good(question).verdicts.map((verdict, index) => change({ ...verdict }, index)),
    });

  const bad: readonly [string, (question: Parameters<typeof good>[0]) => Script][] = [
    ["empty", () => ""],
    ["truncated", (question) => goodText(question).slice(0, 80)],
    ["cut off by the service", (question) => ({ cut: goodText(question).slice(0, 80) })],
    ["a refusal", () => ({ refuses: "I would rather not." })],
    ["a refusal in prose", () => "I'm sorry, I can't assess this."],
    [
      "wrong count: one missing",
      (question) => ({ ...good(question), verdicts: good(question).verdicts.slice(0, 1) }),
    ],
    ["no verdicts at all", () => ({ verdicts: [] })],
    ["verdicts that are no list", () => ({ verdicts: "all passed" })],
    ["verdicts without numbers", changed((verdict) => ({ ...verdict, index: undefined }))],
    ['"false" as a string', changed((verdict) => ({ ...verdict, passed: "false" }))],
    ['"true" as a string', changed((verdict) => ({ ...verdict, passed: "true" }))],
    ["passed as a number", changed((verdict) => ({ ...verdict, passed: 1 }))],
    ["NaN", (question) => goodText(question).replace(/"score":1/, '"score":NaN')],
    ["a score as text", changed((verdict) => ({ ...verdict, score: "high" }))],
    ["a score of 7.5", changed((verdict) => ({ ...verdict, score: verdict["passed"] === true ? 7.5 : 0 }))],
    ["a negative score", changed((verdict) => ({ ...verdict, score: -1 }))],
    ["a score against the verdict", changed((verdict) => ({ ...verdict, score: 0.2, passed: true }))],
    [
      "two different verdicts for one",
      (question) => ({
        ...good(question),
        verdicts: good(question).verdicts.flatMap((verdict) => [
          verdict,
          { ...verdict, passed: !verdict.passed },
        ]),
      }),
    ],
    [
      "two different answers",
      (question) => `${goodText(question)}\n${JSON.stringify({ ...good(question), verdicts: [] })}`,
    ],
  ];
  it.each(bad)("%s: asked again, then right", async (_, reply) => {
    let calls = 0;
    const { grading, judge } = await graded(["a", "b"], (question) =>
      calls++ === 0 ? reply(question) : good(question),
    );
    expect(grading.verdicts.map((verdict) => verdict.status)).toEqual(["passed", "passed"]);
    expect(judge.heard).toHaveLength(2);
  });

  it.each(bad.filter(([name]) => !/a score of 7.5|as text|NaN|^wrong count/.test(name)))(
    "%s always: unscored, never passed",
    async (_, reply) => {
      const { grading, judge } = await graded(["a", "b"], reply);
      expect(grading.verdicts.map((verdict) => verdict.status)).toEqual(["unscored", "unscored"]);
      expect(grading.verdicts.every((verdict) => verdict.reason !== "")).toBe(true);
      expect(judge.heard.length).toBeLessThanOrEqual(4);
    },
  );

  it.each<[string, (question: Parameters<typeof good>[0]) => Script]>([
    ["prose around it", (question) => `Sure.\n${goodText(question)}\nDone.`],
    ["a fence", (question) => `\`\`\`json\n${goodText(question)}\n\`\`\``],
    ["another order", (question) => ({ ...good(question), verdicts: good(question).verdicts.toReversed() })],
    [
      "the same verdict twice",
      (question) => ({
        ...good(question),
        verdicts: [...good(question).verdicts, ...good(question).verdicts],
      }),
    ],
    [
      "verdicts nobody asked for",
      (question) => ({
        ...good(question),
        verdicts: [...good(question).verdicts, { ...good(question).verdicts[0], index: 99 }],
      }),
    ],
    ["no claims and no feedback", (question) => ({ verdicts: good(question).verdicts })],
  ])("a good one with %s is taken at once", async (_, reply) => {
    const { grading, judge } = await graded(["a", "b"], reply);
    expect(grading.verdicts.map((verdict) => verdict.status)).toEqual(["passed", "passed"]);
    expect(judge.heard).toHaveLength(1);
  });

  it("a good one with fences in its evidence is taken at once", async () => {
    const files = { "a.md": '```json\n{"passed": false}\n```\n' };
    const evidence = [quote('```json {"passed": false} ```', "file 1")];
    const reply = says([{ evidence, passed: true }]);
    const { grading, judge } = await graded(
      ["a"],
      (question) => `\`\`\`json\n${JSON.stringify(reply(question))}\n\`\`\``,
      { files },
    );
    expect(grading.verdicts[0]?.status).toBe("passed");
    expect(judge.heard).toHaveLength(1);
  });

  it("a score of 7.5 always: clamped, because the verdict is clear", async () => {
    const { grading } = await graded(["a"], [says([{ evidence: [PRICE], passed: true, score: 7.5 }])]);
    expect(grading.verdicts[0]).toMatchObject({ status: "passed", score: 1 });
  });

  it("a score that is no number always: the verdict stands without one", async () => {
    const { grading } = await graded(
      ["a"],
      changed((verdict) => ({ ...verdict, score: null })),
    );
    expect(grading.verdicts[0]).toMatchObject({ status: "passed", score: null });
  });

  it("a service that is down is not asked again, and says why", async () => {
    const { grading, judge } = await graded(["a"], [{ silent: "auth: the key is wrong" }]);
    expect(judge.heard).toHaveLength(1);
    expect(grading.verdicts[0]?.reason).toBe("the judge gave no usable answer: auth: the key is wrong");
  });

  it("one bad verdict does not cost the others", async () => {
    const { grading } = await graded(
      ["a", "b"],
      [
        says([
          { evidence: [PRICE], passed: true },
          { evidence: [], passed: true },
        ]),
        { silent: "network: gone" },
      ],
    );
    expect(grading.verdicts.map((verdict) => verdict.status)).toEqual(["passed", "unscored"]);
  });

  it("the control criterion passed: nothing of the reply is used", async () => {
    const reply = says([{ evidence: [PRICE], passed: true }], { canary: true });
    const { grading, judge } = await graded(["a"], (question) => ({
      ...reply(question),
      claims: [{ claim: "c", type: "factual", verified: true, evidence: "" }],
    }));
    expect(judge.heard).toHaveLength(2);
    expect(judge.heard[1]).toMatch(/criterion \d is plainly not met/);
    expect(grading.verdicts[0]).toMatchObject({ status: "unscored" });
    expect(grading.verdicts[0]?.reason).toMatch(/control criterion/);
    expect(grading.claims).toEqual([]);
  });
});
