import { skillNameIn } from "../domain/iteration.ts";
import { countsAs, type Outcome, type Run, totalTokens } from "../domain/run.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Evaluated } from "./evaluated.ts";

/**
 * What a summary reads of one trial. A summary goes over its trials many times, and over tens of thousands of them going
 * back to each run and each verdict is what takes the time: it is done once.
 */
export interface TrialFacts extends VerdictCounts {
  readonly trial: Trial;
  /** Null: it was not run. */
  readonly run: Run | null;
  readonly as: ReturnType<typeof countsAs> | "not-run";
  /** All that were given, also to a run that does not count. */
  readonly given: readonly Verdict[];
  /** Those that say something about a run that counts; the counts are of these, with what is unscored beside them. */
  readonly verdicts: readonly Verdict[];
  readonly outcome: Outcome | null;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly isReused: boolean;
  readonly isLoaded: boolean;
  readonly isUnverified: boolean;
  readonly editsSkill: boolean;
  /** How often the judge agrees with itself; null where it was asked once. */
  readonly agreement: number | null;
}

/** Of a run that counts. */
export type CountedRun = TrialFacts & { readonly run: Run };

interface VerdictCounts {
  readonly passed: number;
  readonly failed: number;
  readonly unscored: number;
}

/** In the order of the trials. */
export function factsOf(evaluated: Evaluated): TrialFacts[] {
  return evaluated.trials.map(factsReader(evaluated));
}

/** For whoever goes over the trials only once. */
export function factsReader({ iteration, cases, runs, gradings }: Evaluated): (trial: Trial) => TrialFacts {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return (trial) => {
    const run = runs.get(trial.id)?.run ?? null;
    const grading = gradings.get(trial.id);
    const as = run === null ? "not-run" : countsAs(run.outcome);
    const given = grading?.verdicts ?? [];
    const counted = as === "graded" || as === "failed" ? given : [];
    const { passed, failed, unscored } = countVerdicts(counted);
    return {
      trial,
      run,
      as,
      given,
      verdicts: unscored === 0 ? counted : counted.filter(({ status }) => status !== "unscored"),
      passed,
      failed,
      unscored,
      outcome: run && run.outcome,
      durationMs: run && run.durationMs,
      tokens: run && totalTokens(run.usage),
      costUsd: run && run.usage.costUsd,
      isReused: run !== null && run.reusedFrom !== null,
      isLoaded: run !== null && wasLoaded(run, byId.get(trial.caseId), skillNameIn(iteration)),
      isUnverified: run !== null && run.validity.status === "unverified",
      editsSkill: run !== null && run.skillEdits.length > 0,
      agreement: grading?.agreement?.withinJudges ?? null,
    };
  };
}

export function isCounted(facts: TrialFacts): facts is CountedRun {
  return facts.as === "graded" || facts.as === "failed";
}

/** Was the skill taken up? A case that calls it by name leaves the agent no choice. */
export function wasLoaded(
  { activations }: Run,
  one: Pick<Case, "prompt"> | undefined,
  skill: string,
): boolean {
  return one?.prompt.kind === "invocation" || activations.some((seen) => isSameSkill(seen.skill, skill));
}

export function countVerdicts(verdicts: readonly Pick<Verdict, "status">[]): VerdictCounts {
  let [passed, failed, unscored] = [0, 0, 0];
  for (const { status } of verdicts) {
    if (status === "passed") passed++;
    else if (status === "failed") failed++;
    else unscored++;
  }
  return { passed, failed, unscored };
}
