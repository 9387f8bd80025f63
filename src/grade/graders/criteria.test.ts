import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Check } from "../../domain/check.ts";
import type { Grading } from "../../domain/grading.ts";
import type { TranscriptBody } from "../../domain/transcript.ts";
import { makeSubject, newFolder, type SubjectParts } from "../fixtures/make-subject.ts";
import { type Script, type ScriptedJudge, scriptedJudge } from "../fixtures/scripted-judge.ts";
import { canaryIndex, criteriaIn, type Said, says } from "../fixtures/criteria-replies.ts";
import { gradeRun } from "../grade.ts";
import { cachedJudge } from "../judges/cached.ts";
import { criteriaGrader, type CriteriaParts } from "./criteria.ts";

const EVENTS: readonly TranscriptBody[] = [
  { kind: "message", role: "user", text: "Write a brief for John Smith" },
  {
    kind: "tool-call",
    callId: "1",
    tool: "Write",
    input: { path: "brief.md", content: "# Brief\nPrice: 40 €" },
  },
  { kind: "tool-result", callId: "1", tool: "Write", output: "ok, 2 lines", isError: false, denied: false },
  { kind: "thinking", text: "secret thoughts" },
  {
    kind: "message",
    role: "assistant",
    text: "I wrote the brief.\nIt names the price of 40\u00a0€ and “two” risks.",
  },
];

const PARTS: SubjectParts & { readonly only?: "output" } = {
  events: EVENTS,
  output: "I wrote the brief.",
  files: { "brief.md": "# Brief\n\nPrice: 40 €\nRisks: cost,   delay\n" },
};

const PRICE = quote("Price: 40 €", "file 1");

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

describe("support", () => {
  const fine: readonly [string, Said["evidence"], boolean][] = [
    ["other spacing", [quote("Risks: cost, delay", "file 1")], true],
    ["a no-break space and plain quotes", [quote('price of 40 € and "two" risks', "event 4")], true],
    ["over a line break", [quote("brief. It names", "event 4")], true],
    ["with dots for what is left out", [quote("Price: 40 € ... delay", "brief.md")], true],
    ["in quotation marks of its own", [quote('"Price: 40 €"', "file 1")], true],
    ["by path and line", [quote("Price: 40 €", "brief.md:3")], true],
    ["by the heading as shown", [quote("Price: 40 €", '[file 1] "brief.md"')], true],
    ["in the wrong place, put right", [quote("I wrote the brief.", "event 1")], true],
    ["of the output", [quote("I wrote the brief", "output")], true],
    ["of a tool call's input", [quote("content: # Brief", "event 1")], true],
    ["of the tools called", [quote("Write x1", "tools")], true],
    ["of the file list", [quote("brief.md", "files")], true],
    ["an absence in everything", [{ kind: "absence", text: "x", sources: ["transcript", "file 1"] }], false],
    ["an absence among the tools", [{ kind: "absence", text: "WebSearch", sources: ["tools"] }], true],
  ];
  it.each(fine)("is a quote %s", async (_, evidence, passed) => {
    const { grading, judge } = await graded(["a"], [says([{ evidence, passed }])]);
    expect(grading.verdicts[0]).toMatchObject({ status: passed ? "passed" : "failed" });
    expect(grading.verdicts[0]?.evidence.length).toBeGreaterThan(0);
    expect(judge.heard).toHaveLength(1);
  });

  const poor: readonly [string, Said["evidence"], RegExp][] = [
    ["nothing", [], /no evidence was given/],
    ["an invented quote", [quote("Price: 41 €", "file 1")], /does not stand in its source/],
    ["an invented source", [quote("Nothing like it", "file 9")], /a source that is not there/],
    ["a short quote in the wrong place", [quote("40", "event 2")], /does not stand in its source/],
    ["no letter", [quote("—", "file 1")], /without a letter or digit/],
    [
      "what the agent was given",
      [quote("a brief for John Smith", "event 0")],
      /only quotes what the agent was given/,
    ],
    ["the thinking", [quote("secret thoughts", "event 3")], /does not stand/],
    ["an absence nowhere", [{ kind: "absence", text: "x", sources: [] }], /names no source/],
    ["an absence in nothing", [{ kind: "absence", text: "x", sources: ["file 7"] }], /not there/],
    [
      "something readable called unreadable",
      [{ kind: "unreadable", text: "x", sources: ["file 1"] }],
      /that was shown/,
    ],
    ["a picture nobody showed", [{ kind: "image", text: "a chart", sources: ["file 1"] }], /not shown/],
    ["an unknown kind", [{ kind: "feeling", text: "x", sources: ["file 1"] }], /unknown kind/],
    ["a text that is no evidence", [{ kind: "quote", text: "", sources: [] }], /without a letter/],
  ];
  it.each(poor)(
    "is not %s: asked again with the problem named, then unscored",
    async (_, evidence, problem) => {
      const { grading, judge } = await graded(["a"], [says([{ evidence, passed: true }])]);
      expect(judge.heard).toHaveLength(2);
      expect(judge.heard[1]).toMatch(problem);
      expect(grading.verdicts[0]).toMatchObject({ status: "unscored", score: null, evidence: [] });
      expect(grading.verdicts[0]?.reason).toMatch(problem);
    },
  );

  it("that comes with the second reply is taken, and only what was open is asked again", async () => {
    const { grading, judge } = await graded(
      ["names the price", "names risks"],
      [
        says([
          { evidence: [PRICE], passed: true },
          { evidence: [quote("Risks: none", "file 1")], passed: true },
        ]),
        says([{ evidence: [quote("Risks: cost", "file 1")], passed: true }]),
      ],
    );
    expect(grading.verdicts.map((verdict) => verdict.status)).toEqual(["passed", "passed"]);
    expect(judge.heard[1]).toMatch(/- criterion (\d): a quote that does not stand[^]*/);
    const number = /- criterion (\d): a quote/.exec(judge.heard[1] ?? "")?.[1];
    expect(judge.heard[1]).toContain(`\n${number}. names risks`);
    expect(judge.heard[1]?.split("Criteria:")[1]).not.toContain("names the price");
  });

  it("by one good quote beside a bad one is asked for again, then the good one stands", async () => {
    const evidence = [quote("made up by the judge", "file 1"), PRICE];
    const { grading, judge } = await graded(["a"], [says([{ evidence, passed: true }])]);
    expect(judge.heard).toHaveLength(2);
    expect(grading.verdicts[0]).toMatchObject({ status: "passed", evidence: [{ text: "Price: 40 €" }] });
  });

  it("by absence needs all of it to have been shown", async () => {
    const long = Array.from({ length: 400 }, (_, line) => `line ${line} of the log`).join("\n");
    const evidence = [{ kind: "absence", text: "an error", sources: ["file 1"] }];
    const { grading, judge } = await graded(
      ["a"],
      [says([{ evidence, passed: false }])],
      { files: { "a.log": long } },
      { budgetChars: 2000 },
    );
    expect(judge.heard[0]).toMatch(/shown: \d+ of \d+ characters/);
    expect(grading.verdicts[0]).toMatchObject({ status: "unscored" });
    expect(grading.verdicts[0]?.reason).toMatch(/not shown whole/);
  });

  it.each([["tools"], ["files"], ["transcript"]])(
    "by absence is not there in the %s of a captured output",
    async (source) => {
      const evidence = [{ kind: "absence", text: "a call", sources: [source] }];
      const captured = { events: [], files: {}, output: "captured", only: "output" } as const;
      const { grading, judge } = await graded(["a"], [says([{ evidence, passed: false }])], captured);
      expect(judge.heard[0]).toContain("not known: only the output was captured");
      expect(grading.verdicts[0]?.status).toBe("unscored");
      const shown = await graded(
        ["a"],
        [says([{ evidence: [{ kind: "absence", text: "a call", sources: ["output"] }], passed: false }])],
        captured,
      );
      expect(shown.grading.verdicts[0]?.status).toBe("failed");
    },
  );

  it("that cannot be read makes no verdict: unreadable", async () => {
    const evidence = [{ kind: "unreadable", text: "needs the recording", sources: ["file 1"] }];
    const { grading } = await graded(["a"], [says([{ evidence, passed: false }])], {
      files: { "a.bin": Buffer.from([0, 1, 2]) },
    });
    expect(grading.verdicts[0]).toMatchObject({ status: "unscored", reason: "unreadable: a.bin: binary" });
  });

  it("may be an image where the judge takes them", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d", "hex");
    const evidence = [{ kind: "image", text: "two bars", sources: ["chart.png"] }];
    const files = { "chart.png": png };
    const shown = await graded(["a"], [says([{ evidence, passed: true }])], { files }, { takesImages: true });
    expect(shown.judge.heard[0]).toContain("(image/png)");
    expect(shown.grading.verdicts[0]).toMatchObject({
      status: "passed",
      evidence: [{ kind: "quote", text: "(image) two bars" }],
    });
    const hidden = await graded(["a"], [says([{ evidence, passed: true }])], { files });
    expect(hidden.judge.heard[0]).toContain("unreadable: an image, not shown");
    expect(hidden.grading.verdicts[0]).toMatchObject({ status: "unscored" });
  });
});

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
  expect(second.grading.verdicts).toEqual(first.grading.verdicts);
  expect(first.grading.verdicts.map((verdict) => verdict.status)).toEqual(["passed", "failed"]);
  await graded(["a", "c"], [], {}, { judges });
  expect(model.heard.length).toBeGreaterThan(2);
});

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

function quote(text: string, source: string): Said["evidence"][number] {
  return { kind: "quote", text, sources: [source] };
}

async function graded(
  texts: readonly string[],
  script: Parameters<typeof scripted>[0],
  parts: SubjectParts & { readonly only?: "output" } = {},
  { takesImages = false, ...options }: Partial<CriteriaParts> & { readonly takesImages?: boolean } = {},
): Promise<{ grading: Grading; judge: ScriptedJudge }> {
  const judge = { ...scripted(script), takesImages };
  const folder = newFolder();
  const checks = texts.map((text, index): Check => ({
    id: `k${index}`,
    layer: "L3",
    text,
    appliesTo: "every-variant",
    origin: null,
    kind: "criterion",
  }));
  try {
    const { only, ...made } = { ...PARTS, ...parts };
    const subject = { ...makeSubject({ ...made, checks }, folder), ...(only === undefined ? {} : { only }) };
    const graders = [criteriaGrader({ judges: [judge], ...options })];
    const grading = await gradeRun(
      subject,
      { graders, now: () => new Date(0) },
      new AbortController().signal,
    );
    return { grading, judge };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Reply = Script | ((question: Parameters<typeof canaryIndex>[0]) => Script);

function scripted(
  script: readonly Reply[] | ((question: Parameters<typeof canaryIndex>[0]) => Script),
): ScriptedJudge {
  return scriptedJudge((question, call) => {
    const reply = typeof script === "function" ? script : (script[call] ?? script.at(-1) ?? "");
    return typeof reply === "function" ? (reply as (asked: typeof question) => Script)(question) : reply;
  });
}
