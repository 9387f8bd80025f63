import type { EvalEvent, EventBody, IterationEnd } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import { countsAs } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";
import { UserError } from "../domain/user-error.ts";
import type { Subject } from "../grade/subject.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import type { Executor } from "../run/executor.ts";
import type { OpenIteration } from "../store/iteration.ts";
import type { FinishedTrial, IterationState } from "../store/state.ts";
import { gradeFinished } from "./grade-finished.ts";

export interface Regrading {
  readonly iteration: OpenIteration;
  /** With the checks to hold the runs to from now on. */
  readonly cases: readonly Case[];
  /** Ids of the cases whose runs are graded; the others keep the verdicts they have. */
  readonly wanted: ReadonlySet<string>;
  readonly grade: (subject: Subject, signal: AbortSignal) => Promise<Grading>;
  readonly skillNameOf: (one: Case, trial: Trial) => string | null;
  readonly mask: SecretMask;
  readonly executor: Executor;
  readonly listen: (event: EvalEvent) => void;
  readonly now: () => Date;
}

/** Grades every counted run of an iteration again without running anything. How far it had been run stays as it was; the answer is how the grading ended. */
export async function regrade(work: Regrading, signal: AbortSignal): Promise<IterationEnd> {
  const { iteration, cases, executor } = work;
  const { earlier } = iteration;
  if (earlier.iteration === null) throw new Error("an iteration without a start cannot be graded");
  const finished = gradableRuns(earlier, work.wanted);
  const record = async (body: EventBody): Promise<void> => {
    const event = { at: work.now().toISOString(), ...body };
    await iteration.append(event);
    work.listen(event);
  };
  await record({
    kind: "iteration-started",
    iteration: earlier.iteration,
    cases,
    trials: earlier.trials,
    resumed: true,
    ...(earlier.basis && { basis: earlier.basis }),
  });
  const grading = {
    ...work,
    manifest: earlier.iteration,
    cases: new Map(cases.map((one) => [one.id, one])),
    record,
  };
  const byId = new Map(finished.map((run) => [run.trial.id, run]));
  await executor.run(
    {
      jobs: finished.map(({ trial }) => ({ id: trial.id, key: trial.key })),
      perform: async (job, jobSignal) => {
        const run = byId.get(job.id);
        if (run !== undefined) await gradeFinished(run, grading, jobSignal);
      },
    },
    signal,
  );
  if (signal.aborted) {
    await record({ kind: "iteration-finished", ended: "interrupted" });
    return "interrupted";
  }
  const attempted = earlier.trials.every(({ id }) => earlier.runs.has(id));
  await record({
    kind: "iteration-finished",
    ended: attempted ? "complete" : (earlier.ended ?? "interrupted"),
  });
  return "complete";
}

/** The runs of these cases that count, in their order; throws where there is none. */
export function gradableRuns(
  { runs }: IterationState,
  wanted: ReadonlySet<string>,
): readonly FinishedTrial[] {
  const counted = [...runs.values()].filter(
    ({ run, trial }) => wanted.has(trial.caseId) && countsAs(run.outcome) !== "left-out",
  );
  if (counted.length > 0) return counted;
  throw new UserError("grade/nothing-to-grade", "the iteration has no such run that counts", {
    hint: "assay run --resume tries what was left out again",
  });
}
