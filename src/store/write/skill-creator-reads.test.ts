import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CANARY_ID } from "../../domain/canary.ts";
import { VARIANTS } from "../../domain/trial.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { sampleCase, sampleGrading, sampleRun, sampleTrial } from "../fixtures/samples.ts";
import { foldersIn } from "../folders-in.ts";
import { caseFolders, iterationFolder, runFolderOf } from "../layout.ts";
import { freshRunFolder, writeGradingFiles, writeRunFiles } from "./run-folder.ts";

const mask = secretMask([]);
let root: string;

/** Every kind of run in every arm, each with an attempt before it that was graded and set aside. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "iteration-"));
  const cases = [
    sampleCase({ id: "1" }),
    sampleCase({ id: "q", kind: "trigger" }),
    sampleCase({ id: CANARY_ID, kind: "trigger" }),
  ];
  const folders = caseFolders(cases);
  for (const one of cases) {
    for (const variant of VARIANTS) {
      const folder = runFolderOf(folders.get(one.id) ?? "", sampleTrial({ variant, repetition: 1 }));
      for (const attempt of [1, 2, 3]) await writeAttempt(folder, attempt, one.kind === "task");
    }
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function writeAttempt(folder: string, attempt: number, withOutputs: boolean): Promise<void> {
  const files = await freshRunFolder(iterationFolder(root), folder, attempt);
  const run = sampleRun();
  const record = { prompt: "p", skill: "cards", inputs: [], run, transcript: [], output: "o", withOutputs };
  const metrics = await writeRunFiles(files, record, mask);
  await writeGradingFiles(files, { run, grading: sampleGrading(), metrics }, mask);
}

it("has no arms for skill-creator's aggregator but those of task cases, each with its runs", async () => {
  expect(existsSync(join(root, "runs"))).toBe(false);
  expect(await aggregatedArms()).toEqual(VARIANTS.toSorted().map((variant) => `eval-1/${variant}: run-1`));
});

it("has no runs for skill-creator's viewer but those of task cases", async () => {
  expect(await viewedRuns("")).toEqual(VARIANTS.toSorted().map((variant) => `eval-1/${variant}/run-1`));
});

/** An arm is a folder two below the iteration, whatever both are called, that holds run-* or a grading.json. */
async function aggregatedArms(): Promise<string[]> {
  const arms: string[] = [];
  for (const evalFolder of await foldersIn(root)) {
    for (const arm of await foldersIn(join(root, evalFolder))) {
      const held = await readdir(join(root, evalFolder, arm));
      const runs = held.filter((name) => name.startsWith("run-") || name === "grading.json");
      if (runs.length > 0) arms.push(`${evalFolder}/${arm}: ${runs.join(", ")}`);
    }
  }
  return arms;
}

/** A run is any folder that holds one called outputs, however deep. */
async function viewedRuns(path: string): Promise<string[]> {
  const inside = await foldersIn(join(root, path));
  if (inside.includes("outputs")) return [path];
  const unread = new Set(["node_modules", ".git", "__pycache__", "skill", "inputs"]);
  const found = await Promise.all(
    inside.filter((name) => !unread.has(name)).map((name) => viewedRuns(join(path, name))),
  );
  return found.flat();
}
