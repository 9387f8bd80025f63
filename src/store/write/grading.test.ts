import { describe, expect, it } from "vitest";
import { sampleGrading, sampleRun, sampleVerdict } from "../fixtures/samples.ts";
import { evidenceText, gradingFile } from "./grading.ts";
import { metricsFile } from "./metrics.ts";

const metrics = metricsFile(sampleRun(), { outputChars: 12_450, transcriptChars: 3200 });

describe("gradingFile", () => {
  const grading = sampleGrading({
    verdicts: [
      sampleVerdict(),
      sampleVerdict({
        checkId: "e2",
        text: "It rhymes",
        status: "failed",
        evidence: [],
        reason: "No line rhymes.",
      }),
      sampleVerdict({
        checkId: "e3",
        text: "It is funny",
        status: "unscored",
        evidence: [],
        reason: "judge refused",
      }),
    ],
  });

  it("has the seed's shape: booleans, a full summary, nothing null, no total time", () => {
    const file = gradingFile({ run: sampleRun(), grading, metrics })!;
    expect(file.expectations).toEqual([
      {
        text: "The card names Ada",
        passed: true,
        evidence: 'card.md:1: "Dear Ada" — The card opens with her name.',
        id: "e1",
        layer: "L3",
        status: "passed",
      },
      {
        text: "It rhymes",
        passed: false,
        evidence: "No line rhymes.",
        id: "e2",
        layer: "L3",
        status: "failed",
      },
    ]);
    expect(file.summary).toEqual({ passed: 1, failed: 1, total: 2, pass_rate: 0.5, unscored: 1 });
    expect(file.unscored).toEqual([{ id: "e3", layer: "L3", text: "It is funny", reason: "judge refused" }]);
    expect(file.timing).toEqual({ executor_duration_seconds: 23.332, grader_duration_seconds: 2.6 });
    expect(Object.keys(file.execution_metrics)).not.toContain("files_created");
    expect(file).not.toHaveProperty("eval_feedback");
    expect(JSON.stringify(file)).not.toContain("null");
  });

  it("is none when nothing was scored, so that no tool counts a rate of 0", () => {
    expect(gradingFile({ run: sampleRun(), grading: sampleGrading({ verdicts: [] }), metrics })).toBeNull();
    const unscored = [sampleVerdict({ status: "unscored" })];
    expect(
      gradingFile({ run: sampleRun(), grading: sampleGrading({ verdicts: unscored }), metrics }),
    ).toBeNull();
  });

  it("rounds the rate to four places", () => {
    const failed = sampleVerdict({ status: "failed" });
    const file = gradingFile({
      run: sampleRun(),
      grading: sampleGrading({ verdicts: [sampleVerdict(), failed, failed] }),
      metrics,
    });
    expect(file?.summary.pass_rate).toBe(0.3333);
  });

  it("carries what a person should look at into the notes that the aggregator shows", () => {
    const run = sampleRun({
      validity: { status: "unverified", reason: "the client does not list its skills" },
      denials: [
        { tool: "Bash", input: {} },
        { tool: "Bash", input: {} },
        { tool: "Skill", input: {} },
      ],
      notes: ["output cut at 10 MB"],
    });
    expect(gradingFile({ run, grading, metrics })?.user_notes_summary).toEqual({
      uncertainties: ["the client does not list its skills"],
      needs_review: ["Bash was denied 2 times", "Skill was denied once", "output cut at 10 MB"],
      workarounds: [],
    });
  });

  it("passes the judge's feedback on, without empty keys", () => {
    const evalFeedback = {
      suggestions: [
        { assertion: "It rhymes", reason: "vague" },
        { assertion: null, reason: "nothing checks the date" },
      ],
      overall: "Thin.",
    };
    expect(
      gradingFile({ run: sampleRun(), grading: { ...grading, evalFeedback }, metrics })?.eval_feedback,
    ).toEqual({
      suggestions: [{ assertion: "It rhymes", reason: "vague" }, { reason: "nothing checks the date" }],
      overall: "Thin.",
    });
  });
});

it.each([
  [{ kind: "quote", text: "hi", source: { kind: "output", line: null } }, 'output: "hi"'],
  [{ kind: "quote", text: "hi", source: { kind: "output", line: 3 } }, 'output:3: "hi"'],
  [{ kind: "quote", text: "hi", source: { kind: "event", index: 4 } }, 'transcript event 4: "hi"'],
  [
    {
      kind: "absence",
      searched: [
        { kind: "output", line: null },
        { kind: "file", path: "a.md", line: null },
      ],
    },
    "not found in output, a.md",
  ],
  [{ kind: "measure", text: "3 of 5 URLs" }, "3 of 5 URLs"],
  [{ kind: "outcome", text: "timed out after 2 s" }, "timed out after 2 s"],
] as const)("evidenceText of %j", (evidence, text) => {
  expect(evidenceText(sampleVerdict({ evidence: [evidence], reason: "" }))).toBe(text);
});
