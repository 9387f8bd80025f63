import type { CountedRun } from "./arm.ts";

/** The scores of one case's runs in both arms, and how many checks they leave out. */
export interface ComparableScores {
  readonly treatment: readonly number[];
  readonly baseline: readonly number[];
  /** Checks that both arms are held to and that could not be compared. */
  readonly checksLeftOut: number;
}

/**
 * Scores over the checks that were decided in every run of both arms: a check that only one side's runs are held to would
 * pass for a difference between the arms. Where no check was, the runs count in which all checks were decided that each
 * arm has an answer to. `checks` are the ids that both arms are held to.
 */
export function comparableScores(
  checks: ReadonlySet<string>,
  treatment: readonly CountedRun[],
  baseline: readonly CountedRun[],
): ComparableScores {
  const here = treatment.map((run) => decidedIn(run, checks)).filter((run) => run.size > 0);
  const there = baseline.map((run) => decidedIn(run, checks)).filter((run) => run.size > 0);
  const known = [...checks].filter((id) => [...here, ...there].some((run) => run.has(id)));
  const everywhere = known.filter((id) => [...here, ...there].every((run) => run.has(id)));
  const inBoth = known.filter((id) => [here, there].every((arm) => arm.some((run) => run.has(id))));
  const isOneArm = here.length === 0 || there.length === 0;
  const compared = everywhere.length > 0 ? everywhere : isOneArm ? known : inBoth;
  const scores = (arm: readonly Decided[]) =>
    compared.length === 0 ? [] : arm.flatMap((run) => scoreOf(run, compared, isOneArm) ?? []);
  return {
    treatment: scores(here),
    baseline: scores(there),
    checksLeftOut: isOneArm ? 0 : checks.size - compared.length,
  };
}

/** Whether each decided check passed, by id. */
type Decided = ReadonlyMap<string, boolean>;

function decidedIn({ verdicts }: CountedRun, checks: ReadonlySet<string>): Decided {
  const mine = verdicts.filter((verdict) => checks.has(verdict.checkId));
  return new Map(mine.map((verdict) => [verdict.checkId, verdict.status === "passed"]));
}

/** Null for a run in which not all were decided, unless `some` will do. */
function scoreOf(run: Decided, checks: readonly string[], some: boolean): number | null {
  const decided = checks.filter((id) => run.has(id));
  if (decided.length === 0 || (!some && decided.length < checks.length)) return null;
  return decided.filter((id) => run.get(id) === true).length / decided.length;
}
