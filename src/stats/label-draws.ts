import type { CaseRuns } from "./case-runs.ts";
import { sum, variance } from "./descriptive.ts";
import { normalCdf, SMALLEST_NORMAL } from "./distributions.ts";
import { type Random, seededRandom } from "./random.ts";

/** How far out a total is among those that other labels would have given. */
export interface Tails {
  /** Two-sided: a difference at least this far from zero. */
  readonly pValue: number;
  /** One-sided: the treatment at least this far ahead, and at least this far behind. */
  readonly pBetter: number;
  readonly pWorse: number;
  /** The smallest p-values that any labels could have given these scores. */
  readonly smallest: { readonly pValue: number; readonly pBetter: number; readonly pWorse: number };
  readonly method: TestMethod;
}

/** `error` is the standard error of the two-sided p-value; `normal` is for thousands of cases. */
export type TestMethod =
  | { readonly kind: "exact" }
  | { readonly kind: "normal" }
  | { readonly kind: "drawn"; readonly draws: number; readonly error: number };

/** Where there are too many assignments to count: from draws, or from the normal distribution where draws take too long. */
export function estimatedTails(
  cases: readonly CaseRuns[],
  { total, slack, seed }: { total: number; slack: number; seed: number },
): Tails {
  const picks = cases.map(({ treatment, baseline }) => Math.min(treatment.length, baseline.length));
  const draws = Math.floor(MOST_PICKS / sum(picks));
  if (draws < FEWEST_DRAWS) return normalTails(cases, total);
  return drawnTails(cases, { total, slack, seed, draws: Math.min(19_999, draws) });
}

/** Scores picked in all draws together, which is what takes the time. */
const MOST_PICKS = 5_000_000;
const FEWEST_DRAWS = 999;

export function normalTails(cases: readonly CaseRuns[], total: number): Tails {
  const variances = cases.map(
    ({ treatment, baseline }) =>
      variance([...treatment, ...baseline]) * (1 / treatment.length + 1 / baseline.length),
  );
  const z = total / Math.sqrt(sum(variances));
  const least = SMALLEST_NORMAL;
  return {
    pValue: Math.max(least, 2 * normalCdf(-Math.abs(z))),
    pBetter: Math.max(least, normalCdf(-z)),
    pWorse: Math.max(least, normalCdf(z)),
    smallest: { pValue: least, pBetter: least, pWorse: least },
    method: { kind: "normal" },
  };
}

export function drawnTails(
  cases: readonly CaseRuns[],
  { total, slack, seed, draws }: { total: number; slack: number; seed: number; draws: number },
): Tails {
  const decks = cases.map(deckOf);
  const random = seededRandom(seed);
  let [far, above, below] = [1, 1, 1];
  for (let draw = 0; draw < draws; draw++) {
    let drawn = 0;
    for (const deck of decks) drawn += deal(deck, random);
    if (Math.abs(drawn) >= Math.abs(total) - slack) far++;
    if (drawn >= total - slack) above++;
    if (drawn <= total + slack) below++;
  }
  const least = 1 / (draws + 1);
  const pValue = far / (draws + 1);
  return {
    pValue,
    pBetter: above / (draws + 1),
    pWorse: below / (draws + 1),
    smallest: { pValue: least, pBetter: least, pWorse: least },
    method: { kind: "drawn", draws, error: Math.sqrt((pValue * (1 - pValue)) / draws) },
  };
}

/** A case's scores, shuffled in place; the first `picks` are the smaller arm's. */
interface Deck {
  readonly scores: Float64Array;
  readonly picks: number;
  readonly total: number;
  /** 1 when the smaller arm is the treatment. */
  readonly sign: 1 | -1;
}

function deckOf({ treatment, baseline }: CaseRuns): Deck {
  const scores = Float64Array.from([...treatment, ...baseline]);
  const picks = Math.min(treatment.length, baseline.length);
  return {
    scores,
    picks,
    total: scores.reduce((all, score) => all + score, 0),
    sign: treatment.length <= baseline.length ? 1 : -1,
  };
}

function deal({ scores, picks, total, sign }: Deck, random: Random): number {
  let picked = 0;
  for (let at = 0; at < picks; at++) {
    const from = at + Math.floor(random() * (scores.length - at));
    const score = scores[from] ?? 0;
    scores[from] = scores[at] ?? 0;
    scores[at] = score;
    picked += score;
  }
  return sign * (picked / picks - (total - picked) / (scores.length - picks));
}
