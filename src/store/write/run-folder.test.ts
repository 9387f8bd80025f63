import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secretMask } from "../../lib/secret-mask.ts";
import { sampleCase, sampleGrading, sampleRun } from "../fixtures/samples.ts";
import { iterationFolder } from "../layout.ts";
import { evalMetadataFile } from "./eval-metadata.ts";
import { metricsFile } from "./metrics.ts";
import {
  freshRunFolder,
  type RunRecord,
  writeEvalMetadata,
  writeGradingFiles,
  writeRunFiles,
} from "./run-folder.ts";

const SECRET = "canary-7f3a9c21e5";
const mask = secretMask([SECRET]);
const metrics = metricsFile(sampleRun(), { outputChars: 12_450, transcriptChars: 3200 });

describe("the run's folder", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "run-"));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const record: RunRecord = {
    prompt: `Write a card. ${SECRET}`,
    skill: "cards",
    inputs: [],
    run: sampleRun({ notes: [`saw ${SECRET}`] }),
    transcript: [
      { index: 0, turn: 1, agent: null, kind: "message", role: "assistant", text: `Dear Ada, ${SECRET}` },
    ],
    output: null,
    withOutputs: true,
  };

  it("holds the seed's files, without a secret in any", async () => {
    const iteration = iterationFolder(root);
    const folder = await freshRunFolder(iteration, "eval-1/with_skill/run-1", 1);
    await mkdir(folder.outputs);
    await writeFile(join(folder.outputs, "card.md"), "Dear Ada 😀");
    const written = await writeRunFiles(folder, record, mask);
    await writeGradingFiles(folder, { run: record.run, grading: sampleGrading(), metrics: written }, mask);
    await writeEvalMetadata(
      iteration.case("eval-1"),
      { variant: "with_skill", file: { ...evalMetadataFile(sampleCase(), 1), prompt: SECRET } },
      mask,
    );
    const files = (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll("\\", "/"),
      )
      .sort();
    expect(files).toEqual([
      "eval-1/eval_metadata.json",
      "eval-1/with_skill/eval_metadata.json",
      "eval-1/with_skill/run-1/grading.json",
      "eval-1/with_skill/run-1/outputs/card.md",
      "eval-1/with_skill/run-1/outputs/metrics.json",
      "eval-1/with_skill/run-1/timing.json",
      "eval-1/with_skill/run-1/transcript.jsonl",
      "eval-1/with_skill/run-1/transcript.md",
    ]);
    for (const file of files) expect(await readFile(join(root, file), "utf8")).not.toContain(SECRET);
    expect(written.output_chars).toBe(10);
    expect(JSON.parse(await readFile(folder.timing, "utf8"))).toHaveProperty("grader_duration_seconds", 2.6);
  });

  it("takes grading.json away when a regrading scores nothing", async () => {
    const folder = await freshRunFolder(iterationFolder(root), "eval-1/with_skill/run-1", 1);
    await writeGradingFiles(folder, { run: record.run, grading: sampleGrading(), metrics }, mask);
    await writeGradingFiles(
      folder,
      { run: record.run, grading: sampleGrading({ verdicts: [] }), metrics },
      mask,
    );
    expect(await readdir(folder.root)).toEqual(["timing.json"]);
  });

  it("shows the answer where there is no file, and lists what lies in folders", async () => {
    const folder = await freshRunFolder(iterationFolder(root), "eval-1/with_skill/run-1", 1);
    const { output_chars } = await writeRunFiles(folder, record, mask);
    expect(output_chars).toBe(0);
    expect(await readFile(folder.listing, "utf8")).toBe(
      "# Files\n\n- card.md (created, 12 bytes)\n- notes.md (modified, 3 bytes)\n\n# Answer\n\nDear Ada, [masked]\n",
    );
    await mkdir(join(folder.outputs, "sub"));
    await writeFile(join(folder.outputs, "sub", "deep.md"), `deep ${SECRET}`);
    await writeFile(join(folder.outputs, "top.md"), "x");
    await rm(folder.listing);
    await writeRunFiles(folder, record, mask);
    expect(await readFile(folder.listing, "utf8")).toContain("# sub/deep.md\n\n```\ndeep [masked]\n```\n");
  });

  it("counts the characters of a FILES.md that the agent made, and not of ours", async () => {
    const folder = await freshRunFolder(iterationFolder(root), "eval-1/with_skill/run-1", 1);
    expect(await writeRunFiles(folder, record, mask)).toHaveProperty("output_chars", 0);
    await writeFile(folder.listing, "theirs");
    await rm(folder.metrics);
    expect(await writeRunFiles(folder, record, mask)).toHaveProperty("output_chars", 6);
  });

  it("has no outputs for a trigger run", async () => {
    const folder = await freshRunFolder(iterationFolder(root), "triggers/q001/with_skill/run-1", 1);
    await writeRunFiles(folder, { ...record, withOutputs: false }, mask);
    expect((await readdir(folder.root)).sort()).toEqual(["timing.json", "transcript.jsonl", "transcript.md"]);
  });

  it("is empty again for the next attempt, which leaves the evidence of the last", async () => {
    const iteration = iterationFolder(root);
    const first = await freshRunFolder(iteration, "eval-1/with_skill/run-1", 1);
    await writeRunFiles(first, record, mask);
    const second = await freshRunFolder(iteration, "eval-1/with_skill/run-1", 2);
    expect(await readdir(second.root)).toEqual([]);
    const aside = iteration.attempt("eval-1/with_skill/run-1", 1);
    expect((await readdir(aside)).sort()).toEqual([
      "files",
      "timing.json",
      "transcript.jsonl",
      "transcript.md",
    ]);
  });
});
