import { readFile } from "node:fs/promises";
import { isCanary } from "../../domain/canary.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { TriggerSummary } from "../../domain/triggers.ts";
import { type KeptIteration, openKeptIteration } from "../shared/kept-iteration.ts";
import type { TestingWork, TestRun } from "./open-test.ts";
import { type CasesToRun, type MadeRun, moveRun, runCases } from "./run-cases.ts";

export interface KeptRuns {
  readonly runs: readonly TestRun[];
  /** Null: no query was asked. */
  readonly triggers: TriggerSummary | null;
}

/** Runs cases and keeps what they left in the file's iteration. A replay without a recording leaves nothing to keep. */
export async function makeRuns(
  wanted: CasesToRun & { readonly repeat: number },
  work: TestingWork,
  signal: AbortSignal,
): Promise<KeptRuns> {
  return runCases(wanted, work, {
    signal,
    use: async ({ iteration, runs: made, triggers }) => {
      const runs: TestRun[] = [];
      for (const one of made) {
        const run = asRepeat(one, wanted);
        if (run.run.replay?.match === "miss") runs.push(notKept(run));
        else if (isCanary(run.one)) await keepCanary(run, await keptIn(work, iteration), work);
        else runs.push(await keepRun(run, await keptIn(work, iteration)));
      }
      return { runs, triggers };
    },
  });
}

function notKept({ one, trial, run, grading, folder }: MadeRun): TestRun {
  return { case: one, trial, run, grading, output: null, folder, counts: false };
}

async function keepRun(made: MadeRun, kept: KeptIteration): Promise<TestRun> {
  const { one, trial, run, grading } = made;
  const { folder, counts } = await kept.add({
    one,
    trial,
    run,
    grading,
    fill: (target, holds) => moveRun(made.folder, target, holds),
  });
  const output = await readFile(folder.outputText, "utf8").catch(() => null);
  return { case: one, trial, run, grading, output, folder: folder.root, counts };
}

/** It guards the rates of every query of the file, and once is enough. */
async function keepCanary(made: MadeRun, kept: KeptIteration, { owners }: TestingWork): Promise<void> {
  if (owners.has(made.trial.id)) return;
  owners.set(made.trial.id, "");
  await keepRun(made, kept);
}

/** The iteration of the file: it begins with its first run. */
function keptIn(work: TestingWork, iteration: Iteration): Promise<KeptIteration> {
  const { request, skill, models, names, file } = work;
  const { machine, results } = request;
  const { number: _, ...made } = iteration;
  work.kept ??= openKeptIteration({
    results,
    manifest: {
      ...made,
      createdAt: machine.now().toISOString(),
      suite: names.suite,
      skill: made.skill && { ...made.skill, name: skill.name },
      evalFiles: [],
      options: { ...made.options, runs: null, tests: { file: file.path } },
    },
    skill,
    mask: models.mask,
    now: machine.now,
    note: machine.note,
  });
  return work.kept;
}

/** A repeat of a test is a further run of the same case. */
function asRepeat(
  made: MadeRun,
  { repeat, runs }: { readonly repeat: number; readonly runs: number },
): MadeRun {
  if (repeat === 0) return made;
  const repetition = made.trial.repetition + repeat * runs;
  const id = made.trial.id.replace(/\d+$/, String(repetition));
  const grading = made.grading && {
    ...made.grading,
    trialId: id,
    verdicts: made.grading.verdicts.map((verdict) => ({ ...verdict, trialId: id })),
  };
  return { ...made, trial: { ...made.trial, id, repetition }, run: { ...made.run, trialId: id }, grading };
}
