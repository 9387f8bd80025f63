import type { CaseRuns } from "./case-runs.ts";

/** Whether each decided check of a run passed, by id. */
export type Decided = ReadonlyMap<string, boolean>;

/** The scores of one case's runs in both arms, and how many checks they leave out. */
export interface ComparableScores extends CaseRuns {
  /** Checks that the scores are over. */
  readonly checksCompared: number;
  /** Checks that both arms are held to and that could not be compared. */
  readonly checksLeftOut: number;
}

/**
 * Scores over the checks that were decided in every run of both arms: a check that only one side's runs are held to would
 * pass for a difference between the arms. Where no check was, the runs count in which all checks were decided that each
 * arm has an answer to. `checks` are the ids that both arms are held to; runs in which none of them was decided do not count.
 */
export function comparableScores(
  checks: ReadonlySet<string>,
  treatment: readonly Decided[],
  baseline: readonly Decided[],
): ComparableScores {
  const ids = [...checks];
  const isScored = (run: Decided) => ids.some((id) => run.has(id));
  const [here, there] = [treatment.filter(isScored), baseline.filter(isScored)];
  const isOneArm = here.length === 0 || there.length === 0;
  const compared = comparedOf(ids, here, there);
  return {
    treatment: scoresOf(here, compared, isOneArm),
    baseline: scoresOf(there, compared, isOneArm),
    checksCompared: compared.length,
    checksLeftOut: isOneArm ? 0 : checks.size - compared.length,
  };
}

function comparedOf(
  ids: readonly string[],
  here: readonly Decided[],
  there: readonly Decided[],
): readonly string[] {
  const isInAll = (id: string) => here.every((run) => run.has(id)) && there.every((run) => run.has(id));
  const everywhere = here.length + there.length === 0 ? [] : ids.filter(isInAll);
  if (everywhere.length > 0) return everywhere;
  const isInAny = (arm: readonly Decided[], id: string) => arm.some((run) => run.has(id));
  return here.length === 0 || there.length === 0
    ? ids.filter((id) => isInAny(here, id) || isInAny(there, id))
    : ids.filter((id) => isInAny(here, id) && isInAny(there, id));
}

/** Without the runs in which not all checks were decided, unless `some` will do. */
function scoresOf(arm: readonly Decided[], checks: readonly string[], some: boolean): number[] {
  const scores: number[] = [];
  for (const run of arm) {
    let [decided, passed] = [0, 0];
    for (const id of checks) {
      const hasPassed = run.get(id);
      if (hasPassed === undefined) continue;
      decided++;
      if (hasPassed) passed++;
    }
    if (decided > 0 && (some || decided === checks.length)) scores.push(passed / decided);
  }
  return scores;
}
