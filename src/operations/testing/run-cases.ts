import { cp, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Grading } from "../../domain/grading.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Run } from "../../domain/run.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, EvalFile } from "../../domain/suite.ts";
import type { TriggerSummary } from "../../domain/triggers.ts";
import type { Trial } from "../../domain/trial.ts";
import { askForScripts } from "../../engine/consent.ts";
import type { EvaluationRequest } from "../../engine/engine.ts";
import { surveyMachine } from "../../engine/survey.ts";
import { evaluateSuites } from "../../pipeline.ts";
import { iterationFolder, type RunFolder } from "../../store/layout.ts";
import { withProbes } from "../shared/run-request.ts";

/** What is run together, and how often. */
export interface CasesToRun {
  readonly cases: readonly Case[];
  /** Of each task; queries are asked as often as ever. */
  readonly runs: number;
  /** Tells recordings of a repeated attempt from those of the first; empty for that. */
  readonly take: string;
}

export interface RunningParts {
  readonly request: EvaluationRequest;
  readonly skill: Skill;
  /** Of the results; and of the recordings, which lie beside the test file. */
  readonly names: { readonly suite: string; readonly tape: string };
  readonly file: EvalFile;
  /** For results that live until the runs are kept; absolute. */
  readonly scratch: string;
}

/** A run as it ended, with its folder for as long as `use` takes. */
export interface MadeRun {
  readonly one: Case;
  readonly trial: Trial;
  readonly run: Run;
  readonly grading: Grading | null;
  readonly folder: string;
}

export interface MadeRuns {
  readonly iteration: Iteration;
  readonly runs: readonly MadeRun[];
  readonly triggers: TriggerSummary | null;
}

/** Runs these cases as every trial is run and hands what they made to `use`, before it is gone. Rejects with the signal's reason. */
export async function runCases<T>(
  { cases, runs, take }: CasesToRun,
  { request, skill, names, file, scratch }: RunningParts,
  { use, signal }: { use: (made: MadeRuns) => Promise<T>; signal: AbortSignal },
): Promise<T> {
  signal.throwIfAborted();
  const { machine, config, options, results: kept } = request;
  await askForScripts(cases, { trust: options.trust, machine });
  const survey = surveyMachine(machine, { options, config, own: null, signal });
  const suites = await withProbes([{ name: names.suite, skill, files: [file], cases }], {
    options,
    machine,
    survey,
  });
  const results = await mkdtemp(join(scratch, "results-"));
  try {
    const { reports, failures } = await evaluateSuites(
      suites,
      {
        ...request,
        results,
        hidden: [...(request.hidden ?? []), kept],
        options: { ...options, runs: cases.some(({ kind }) => kind === "task") ? runs : null },
        connect: (trial, asked) =>
          request.connect(trial, {
            ...asked,
            header: () => ({ ...asked.header(), suite: names.tape, caseId: `${trial.caseId}${take}` }),
          }),
      },
      signal,
    );
    signal.throwIfAborted();
    for (const { error } of failures) throw error;
    const [report] = reports;
    if (report === undefined) throw new Error("the cases left no report");
    const { evaluated, summary, folder, runFolders } = report;
    const byId = new Map(evaluated.cases.map((one) => [one.id, one]));
    const made = evaluated.trials.flatMap((trial): MadeRun[] => {
      const [one, finished] = [byId.get(trial.caseId), evaluated.runs.get(trial.id)];
      if (one === undefined || finished === undefined) return [];
      const grading = evaluated.gradings.get(trial.id) ?? null;
      const path = iterationFolder(folder).run(runFolders.get(trial.id) ?? "").root;
      return [{ one, trial, run: finished.run, grading, folder: path }];
    });
    return await use({ iteration: evaluated.iteration, runs: made, triggers: summary.triggers });
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** Copies what a run left to where it is kept. */
export async function moveRun(from: string, to: RunFolder, counts: boolean): Promise<void> {
  await cp(from, to.root, { recursive: true, verbatimSymlinks: true });
  // Among what does not count, skill-creator's viewer would take a folder called outputs for one more run.
  if (!counts && (await stat(to.outputs).catch(() => null)) !== null)
    await rename(to.outputs, join(to.root, "files"));
}
