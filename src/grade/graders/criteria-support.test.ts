import { describe, expect, it } from "vitest";
import { type Said, says } from "../fixtures/criteria-replies.ts";
import { PRICE, quote, graded } from "./fixtures/graded-criteria.ts";

describe("support", () => {
  const fine: readonly [string, Said["evidence"], boolean, string?][] = [
    ["other spacing", [quote("Risks: cost, delay", "file 1")], true],
    ["a no-break space and plain quotes", [quote('price of 40 € and "two" risks', "event 4")], true],
    ["over a line break", [quote("brief. It names", "event 4")], true],
    ["with dots for what is left out", [quote("Price: 40 € ... Risks: cost, delay", "brief.md")], true],
    ["in quotation marks of its own", [quote('"Price: 40 €"', "file 1")], true],
    ["by path and line", [quote("Price: 40 €", "brief.md:3")], true],
    ["by the heading as shown", [quote("Price: 40 €", '[file 1] "brief.md"')], true],
    ["in the wrong place, corrected", [quote("I wrote the brief.", "event 1")], true],
    ["of the output", [quote("I wrote the brief", "output")], true],
    ["of a tool call's input", [quote("content: # Brief", "event 1")], true],
    ["of the tools called", [quote("Write x1", "tools")], true, "The agent calls the tool Write"],
    ["of the file list", [quote("brief.md", "files")], true, "A brief was created"],
    ["an absence in everything", [{ kind: "absence", text: "x", sources: ["transcript", "file 1"] }], false],
    [
      "an absence among the tools",
      [{ kind: "absence", text: "WebSearch", sources: ["tools"] }],
      true,
      "The agent uses no search",
    ],
  ];
  it.each(fine)("is a quote %s", async (_, evidence, passed, criterion = "a") => {
    const { grading, judge } = await graded([criterion], [says([{ evidence, passed }])]);
    expect(grading.verdicts[0]).toMatchObject({ status: passed ? "passed" : "failed" });
    expect(grading.verdicts[0]?.evidence.length).toBeGreaterThan(0);
    expect(judge.heard).toHaveLength(1);
  });

  const poor: readonly [string, Said["evidence"], RegExp][] = [
    ["nothing", [], /no evidence was given/],
    ["an invented quote", [quote("Price: 41 €", "file 1")], /is not in its source/],
    ["an invented source", [quote("Nothing like it", "file 9")], /a source that does not exist/],
    ["a short quote in the wrong place", [quote("40", "event 2")], /is not in its source/],
    ["no letter", [quote("—", "file 1")], /without a letter or digit/],
    ["a letter", [quote("e", "file 1")], /says too little/],
    ["a word", [quote("brief", "event 4")], /says too little/],
    ["letters with dots between them", [quote("w ... b ... f", "event 4")], /says too little/],
    [
      "a file of the list, for what it holds",
      [quote("brief.md", "files")],
      /only on a list of tools or files/,
    ],
    ["a tool of the list, for what it did", [quote("Write x1", "tools")], /only on a list of tools or files/],
    [
      "an absence, for what should be there",
      [{ kind: "absence", text: "x", sources: ["output"] }],
      /which the criterion does not ask for/,
    ],
    [
      "what the agent was given",
      [quote("a brief for John Smith", "event 0")],
      /only quotes what the agent was given/,
    ],
    ["the thinking", [quote("secret thoughts", "event 3")], /is not in a source/],
    ["an absence nowhere", [{ kind: "absence", text: "x", sources: [] }], /not from which source/],
    ["an absence in nothing", [{ kind: "absence", text: "x", sources: ["file 7"] }], /does not exist/],
    [
      "something readable called unreadable",
      [{ kind: "unreadable", text: "x", sources: ["file 1"] }],
      /but it was shown/,
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
    expect(judge.heard[1]).toMatch(/- criterion (\d): a quote that is not in[^]*/);
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
    expect(grading.verdicts[0]?.reason).toMatch(/read in \d+ parts/);
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
    const criteria = ["The chart has two bars"];
    const shown = await graded(
      criteria,
      [says([{ evidence, passed: true }])],
      { files },
      { takesImages: true },
    );
    expect(shown.judge.heard[0]).toContain("(image/png)");
    expect(shown.grading.verdicts[0]).toMatchObject({
      status: "passed",
      evidence: [{ kind: "quote", text: "(image) two bars" }],
    });
    const hidden = await graded(criteria, [says([{ evidence, passed: true }])], { files });
    expect(hidden.judge.heard[0]).toContain("unreadable: an image, not shown");
    expect(hidden.grading.verdicts[0]).toMatchObject({ status: "unscored" });
  });
});
