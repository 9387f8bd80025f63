import type { Grading } from "../../src/domain/grading.ts";
import type { Outcome, Run } from "../../src/domain/run.ts";
import type { Case } from "../../src/domain/suite.ts";
import type { Trial, Variant } from "../../src/domain/trial.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import type { IterationReport } from "../../src/report/reporter.ts";
import { summarize } from "../../src/report/summarize.ts";
import { aCase } from "./cases.ts";
import { aGrading, anIteration, aRun, aVerdict } from "./runs.ts";

const COMPLETED: Outcome = { status: "completed" };

const LOADED = [{ skill: "demo", by: "tool", event: 1 }] as const;

/** A trial and what came of it; null: it was not run. */
export interface Told {
  readonly caseId: string;
  readonly variant?: Variant;
  readonly repetition?: number;
  readonly outcome?: Outcome | null;
  readonly verdicts?: readonly Partial<Verdict>[];
}

/** The report of an iteration in which this happened. */
export function aReport(told: readonly Told[], settings: Partial<Case["settings"]> = {}): IterationReport {
  const trials = told.map(({ caseId, variant = "with_skill", repetition = 1 }): Trial => {
    const id = `${caseId}/${variant}/run-${repetition}`;
    return { id, key: "k", caseId, variant, repetition };
  });
  const runs = new Map<string, { run: Run }>();
  const gradings = new Map<string, Grading>();
  for (const [index, { outcome = COMPLETED, verdicts = [] }] of told.entries()) {
    const trialId = trials[index]?.id ?? "";
    if (outcome === null) continue;
    runs.set(trialId, { run: aRun({ trialId, outcome, durationMs: 1500, activations: LOADED }) });
    gradings.set(
      trialId,
      aGrading(
        trialId,
        verdicts.map((verdict) => aVerdict({ trialId, ...verdict })),
      ),
    );
  }
  const cases = [...new Set(told.map(({ caseId }) => caseId))].map((id) => {
    const one = aCase({ id });
    return { ...one, settings: { ...one.settings, ...settings } };
  });
  const evaluated = { iteration: anIteration(), cases, trials, runs, gradings };
  return {
    evaluated,
    summary: summarize(evaluated, { minPassRate: null, allowMissing: 0 }),
    folder: "/results/demo/iteration-1",
    runFolders: new Map(
      trials.map(({ id, caseId, variant, repetition }) => [
        id,
        `eval-${caseId}/${variant}/run-${repetition}`,
      ]),
    ),
  };
}
