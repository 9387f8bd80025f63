import { type CaseRuns, inBothArms } from "./case-runs.ts";
import { type CheckedCase, type CheckChanges, runsOf } from "./check-changes.ts";
import { comparableScores } from "./comparable.ts";
import { withinCaseTest } from "./within-case.ts";

/**
 * Runs of each case, before and now, that would confirm what moved if they went on like those there are: all checks
 * together, or the clearest of those that moved, whichever takes fewer. Null where nothing moved, and where more runs than
 * anyone should make would be needed.
 */
export function runsToTell(
  cases: readonly CheckedCase[],
  { together, checks }: CheckChanges,
  { alpha = 0.05, seed = 1 }: { readonly alpha?: number; readonly seed?: number } = {},
): number | null {
  const moved = checks.filter(({ status }) => status === "moved");
  const [clearest] = moved.toSorted((a, b) => (a.pValue ?? 1) - (b.pValue ?? 1));
  const where = cases.find(({ caseId }) => caseId === clearest?.caseId);
  const varying = checks.filter(({ change }) => change !== null && change !== 0).length;
  const half = alpha / 2;
  const isWhole = together.status === "moved" && cases.length <= MOST_CASES;
  const whole = isWhole
    ? fewestRuns(
        cases.map(({ checks: held, before, now }) => comparableScores(held, now, before)),
        { level: half, seed },
      )
    : null;
  const alone =
    clearest === undefined || where === undefined
      ? null
      : fewestRuns([runsOf(clearest.checkId, where.now, where.before)], { level: half / varying, seed });
  const needed = [whole, alone].filter((runs) => runs !== null);
  return needed.length === 0 ? null : Math.min(...needed);
}

/** Beyond this, working out what all checks together would take costs more than the advice is worth. */
const MOST_CASES = 100;
/** Every number while they are few, then in steps: nobody plans 31 runs rather than 30. */
const SIZES = [...Array.from({ length: 12 }, (_, at) => at + 1), 15, 20, 30, 40, 50];

function fewestRuns(
  cases: readonly CaseRuns[],
  { level, seed }: { readonly level: number; readonly seed: number },
): number | null {
  const compared = inBothArms(cases);
  if (compared.length === 0) return null;
  const made = Math.min(
    ...compared.flatMap(({ treatment, baseline }) => [treatment.length, baseline.length]),
  );
  const enough = SIZES.filter((runs) => runs > made).find((runs) => {
    const test = withinCaseTest(
      compared.map(({ treatment, baseline }) => ({
        treatment: continued(treatment, runs),
        baseline: continued(baseline, runs),
      })),
      seed,
    );
    return test !== null && Math.min(test.pWorse, test.pBetter) <= level + 1e-12;
  });
  return enough ?? null;
}

/** As many runs in the same proportions. */
function continued(scores: readonly number[], runs: number): number[] {
  return Array.from({ length: runs }, (_, at) => scores[at % scores.length] ?? 0);
}
