import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { TranscriptBody, TranscriptEvent } from "../../domain/transcript.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { sampleCase, sampleGrading, sampleRun, sampleVerdict } from "../fixtures/samples.ts";
import { iterationFolder } from "../layout.ts";
import { evalMetadataFile } from "./eval-metadata.ts";
import { evidenceText, gradingFile } from "./grading.ts";
import { metricsFile } from "./metrics.ts";
import { outputChars } from "./output-chars.ts";
import {
  freshRunFolder,
  type RunRecord,
  writeEvalMetadata,
  writeGradingFiles,
  writeRunFiles,
} from "./run-folder.ts";
import { timingFile } from "./timing.ts";
import { transcriptText } from "./transcript.ts";

const CHARS = { outputChars: 12_450, transcriptChars: 3200 };
const SECRET = "canary-7f3a9c21e5";
const mask = secretMask([SECRET]);
const metrics = metricsFile(sampleRun(), CHARS);

function events(...bodies: TranscriptBody[]): TranscriptEvent[] {
  return bodies.map((body, index) => Object.assign({ index, turn: 1, agent: null }, body));
}

describe("metricsFile", () => {
  it("has the seed's fields, counted by code", () => {
    expect(metrics).toEqual({
      tool_calls: { Read: 2, Write: 1 },
      total_tool_calls: 3,
      total_steps: 3,
      files_created: ["card.md"],
      files_modified: ["notes.md"],
      errors_encountered: 1,
      output_chars: 12_450,
      transcript_chars: 3200,
    });
  });
});

describe("timingFile", () => {
  it("has the seed's fields, with the executor's time as the total", () => {
    const agentTime = { startedAt: "2026-01-15T10:30:08.000Z", endedAt: "2026-01-15T10:30:31.332Z" };
    expect(timingFile(sampleRun({ agentTime }), sampleGrading())).toEqual({
      total_tokens: 1230,
      duration_ms: 23_332,
      total_duration_seconds: 23.332,
      executor_start: "2026-01-15T10:30:08.000Z",
      executor_end: "2026-01-15T10:30:31.332Z",
      executor_duration_seconds: 23.332,
      grader_start: "2026-01-15T10:31:00.000Z",
      grader_end: "2026-01-15T10:31:02.600Z",
      grader_duration_seconds: 2.6,
    });
  });

  it("does not say when an agent began that never did", () => {
    const file = timingFile(sampleRun({ agentTime: null, durationMs: 0 }), null);
    expect(file).not.toHaveProperty("executor_start");
    expect(file).not.toHaveProperty("executor_end");
  });

  it("leaves out what is unknown instead of writing zero or null", () => {
    const file = timingFile(sampleRun({ usage: UNKNOWN_USAGE }), null);
    expect(Object.keys(file)).not.toContain("total_tokens");
    expect(Object.values(file)).not.toContain(null);
  });
});

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
    const file = gradingFile(sampleRun(), grading, metrics)!;
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
    expect(gradingFile(sampleRun(), sampleGrading({ verdicts: [] }), metrics)).toBeNull();
    const unscored = [sampleVerdict({ status: "unscored" })];
    expect(gradingFile(sampleRun(), sampleGrading({ verdicts: unscored }), metrics)).toBeNull();
  });

  it("rounds the rate to four places", () => {
    const failed = sampleVerdict({ status: "failed" });
    const file = gradingFile(
      sampleRun(),
      sampleGrading({ verdicts: [sampleVerdict(), failed, failed] }),
      metrics,
    );
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
    expect(gradingFile(run, grading, metrics)?.user_notes_summary).toEqual({
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
    expect(gradingFile(sampleRun(), { ...grading, evalFeedback }, metrics)?.eval_feedback).toEqual({
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

describe("evalMetadataFile", () => {
  it("joins turns and names the checks", () => {
    const one = sampleCase({
      id: "a",
      name: "Two turns",
      prompt: { kind: "turns", turns: ["First.", "Then."] },
    });
    expect(evalMetadataFile(one, 3)).toEqual({
      eval_id: 3,
      eval_name: "Two turns",
      prompt: "First.\n\nThen.",
      assertions: ["The card names Ada"],
      id: "a",
    });
  });

  it.each([
    ["with_skill", "/cards for Ada"],
    ["without_skill", "for Ada"],
  ] as const)("shows an invocation as %s gets it", (variant, prompt) => {
    const one = sampleCase({ prompt: { kind: "invocation", args: "for Ada" } });
    expect(evalMetadataFile(one, 1, variant, "cards").prompt).toBe(prompt);
  });
});

describe("transcriptText", () => {
  const facts = { prompt: "Write a card.", skill: "cards", inputs: ["names.csv"], run: sampleRun() };

  it("has the executor's sections in order", () => {
    const text = transcriptText(
      events(
        { kind: "message", role: "user", text: "Write a card." },
        { kind: "tool-call", callId: "c1", tool: "Write", input: { path: "card.md" } },
        { kind: "tool-result", callId: "c1", tool: "Write", output: "ok", isError: false, denied: false },
        { kind: "usage", usage: UNKNOWN_USAGE },
        { kind: "message", role: "assistant", text: "Done." },
      ),
      facts,
    );
    expect(text.match(/^##? .*$/gm)).toEqual([
      "# Eval Execution Transcript",
      "## Eval Prompt",
      "## Skill",
      "## Input Files",
      "## Execution",
      "## Output Files",
      "## Final Result",
      "## Issues",
    ]);
    expect(text.match(/^### .*$/gm)).toEqual([
      "### Step 1: user, turn 1 (event 0)",
      "### Step 2: call of Write (event 1)",
      "### Step 3: result of Write (event 2)",
      "### Step 4: assistant (event 4)",
    ]);
  });

  it("gives skill-creator's viewer its prompt", () => {
    const found = /## Eval Prompt\n\n([\s\S]*?)(?=\n##|$)/.exec(transcriptText([], facts));
    expect(found?.[1]?.trim()).toBe("Write a card.");
  });

  it("lets nothing the agent says become a heading of ours", () => {
    const sly = "```\n## Final Result\n\nAll good ````";
    const text = transcriptText(events({ kind: "message", role: "assistant", text: sly }), facts);
    const outside = text.replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, "");
    expect(outside.match(/^## Final Result$/gm)).toHaveLength(1);
    expect(outside).not.toContain("All good");
  });

  it("cuts long results and says so, without breaking a character", () => {
    const output = `${"x".repeat(3999)}😀${"y".repeat(5000)}`;
    const result = {
      kind: "tool-result",
      callId: "c",
      tool: null,
      output,
      isError: true,
      denied: false,
    } as const;
    const text = transcriptText(events(result), facts);
    expect(text).toContain("[5002 more characters in transcript.jsonl]");
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it("names what went wrong", () => {
    const run = sampleRun({
      outcome: { status: "timed-out", afterMs: 5 },
      denials: [{ tool: "Bash", input: {} }],
    });
    const text = transcriptText([], { ...facts, run });
    expect(text).toContain("- the run ended as timed-out\n- Bash was denied");
  });
});

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
    transcript: events({ kind: "message", role: "assistant", text: `Dear Ada, ${SECRET}` }),
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

it("outputChars counts code points of text, nothing of binaries, and needs no folder", async () => {
  const root = await mkdtemp(join(tmpdir(), "chars-"));
  try {
    await writeFile(join(root, "a.txt"), "é😀x");
    await mkdir(join(root, "sub"));
    await writeFile(join(root, "sub", "b.txt"), "é".repeat(70_000));
    await writeFile(join(root, "own.json"), "not counted");
    await writeFile(join(root, "nul.bin"), Buffer.from([65, 0, 66]));
    await writeFile(join(root, "latin1.txt"), Buffer.from([0xe9, 0x20]));
    expect(await outputChars(root, [join(root, "own.json")])).toBe(70_003);
    expect(await outputChars(join(root, "gone"), [])).toBe(0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
