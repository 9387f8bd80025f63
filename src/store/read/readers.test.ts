import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretMask } from "../../lib/secret-mask.ts";
import { sampleCase, sampleGrading, sampleRun, sampleVerdict } from "../fixtures/samples.ts";
import { iterationFolder } from "../layout.ts";
import { evalMetadataFile } from "../write/eval-metadata.ts";
import { writeEvalMetadata, writeGradingFiles, writeRunFiles } from "../write/run-folder.ts";
import { analysisReader } from "./analysis.ts";
import { benchmarkReader } from "./benchmark.ts";
import { comparisonReader } from "./comparison.ts";
import { evalMetadataReader } from "./eval-metadata.ts";
import { feedbackReader } from "./feedback.ts";
import { gradingReader } from "./grading.ts";
import { historyReader } from "./history.ts";
import { metricsReader } from "./metrics.ts";
import type { ResultFile } from "./result-file.ts";
import { findRuns } from "./runs.ts";
import { timingReader } from "./timing.ts";

const READERS: [string, ResultFile<unknown>][] = Object.entries({
  analysisReader,
  benchmarkReader,
  comparisonReader,
  evalMetadataReader,
  feedbackReader,
  gradingReader,
  historyReader,
  metricsReader,
  timingReader,
});

describe.each(READERS)("%s", (_, reader) => {
  it("never throws, and says why it refuses (property)", () => {
    const keys = fc.constantFrom(
      "expectations",
      "assertions",
      "runs",
      "summary",
      "run_summary",
      "delta",
      "with_skill",
      "timing",
      "metadata",
      "reviews",
      "iterations",
      "rubric",
      "A",
      "B",
      "winner",
      "tool_calls",
      "result",
      "text",
      "passed",
      "x",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, -1.5, "", "A", "+0.5"),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(keys, tie("any"), { maxKeys: 5 }),
      ),
    })).any;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          value.map((one) => JSON.stringify(one)),
        ),
        (text) => {
          const { value: reading, diagnostics } = reader.parse("f.json", text);
          expect(reading === null).toBe(diagnostics.some(({ severity }) => severity === "error"));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ['{"a": "cut', "file/syntax"],
    ["", "file/empty"],
    ['{"a":1,"a":2}', "file/duplicate-key"],
    ["[".repeat(5000), "file/too-deep"],
    ["../evals/grading.json", "file/symlink-stub"],
  ])("refuses %s with a place", (text, code) => {
    expect(reader.parse("f.json", text)).toMatchObject({
      value: null,
      diagnostics: [{ code, at: { file: "f.json" } }],
    });
  });

  it("says so when there is no file", async () => {
    const path = join(tmpdir(), "no-such-folder", "f.json");
    expect(await reader.read(path)).toMatchObject({
      value: null,
      diagnostics: [{ code: "file/unreadable", at: { file: path } }],
    });
  });
});

describe("what we write", () => {
  it("is read back without a note", async () => {
    const root = await mkdtemp(join(tmpdir(), "read-"));
    try {
      const iteration = iterationFolder(root);
      const folder = iteration.run("eval-1/with_skill/run-1");
      const mask = secretMask([]);
      const run = sampleRun();
      const record = {
        prompt: "p",
        skill: "s",
        inputs: [],
        run,
        transcript: [],
        output: null,
        withOutputs: true,
      };
      const metrics = await writeRunFiles(folder, record, mask);
      const verdicts = [
        sampleVerdict(),
        sampleVerdict({ status: "failed" }),
        sampleVerdict({ status: "unscored" }),
      ];
      const claims = [{ claim: "c", type: "factual", verified: true, evidence: "e" }] as const;
      const evalFeedback = { suggestions: [{ assertion: null, reason: "r" }], overall: "o" };
      await writeGradingFiles(
        folder,
        { run, grading: sampleGrading({ verdicts, claims, evalFeedback }), metrics },
        mask,
      );
      await writeEvalMetadata(
        iteration.case("eval-1"),
        { variant: "with_skill", file: evalMetadataFile(sampleCase(), 1) },
        mask,
      );
      expect(await gradingReader.read(folder.grading)).toMatchObject({
        diagnostics: [],
        value: { summary: { passed: 1, failed: 1, ungraded: 1, passRate: 0.5 }, claims, evalFeedback },
      });
      expect(await timingReader.read(folder.timing)).toMatchObject({
        diagnostics: [],
        value: { totalTokens: 1230, durationMs: 23_332 },
      });
      expect(await metricsReader.read(folder.metrics)).toMatchObject({
        diagnostics: [],
        value: { totalToolCalls: 3, totalSteps: 3 },
      });
      expect(await evalMetadataReader.read(iteration.case("eval-1").metadata)).toMatchObject({
        diagnostics: [],
        value: { evalId: 1 },
      });
      expect(await findRuns(root)).toMatchObject([
        { evalFolder: "eval-1", configuration: "with_skill", number: 1 },
      ]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});
