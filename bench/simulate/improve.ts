import { isOutrun } from "../../src/improve/loop/race.ts";
import { meanScore, type RunScores } from "../../src/improve/loop/score.ts";
import { splitCases } from "../../src/improve/loop/split-cases.ts";
import { mean } from "../../src/stats/descriptive.ts";
import type { Random } from "../../src/stats/random.ts";
import { withinCaseTest } from "../../src/stats/within-case.ts";
import { coinsName } from "./judges.ts";
import { drawCase, drawCaseRuns, drawNormal, drawScores, type Truth, type World } from "./worlds.ts";

export interface LoopDraw {
  readonly world: World;
  readonly cases: number;
  /** What every draft changes about each case's pass rate. */
  readonly effect: number;
  readonly random: Random;
}

const ROUNDS = 5;
const PATIENCE = 2;
const RUNS = 3;
const FRESH_RUNS = 5;

/** Whether a draft is adopted: explored on the cases to learn from, then confirmed with fresh runs on all. */
export function adoptsConfirmed({ world, cases, effect, random }: LoopDraw): boolean {
  const { truths, split } = drawLoop({ world, cases, effect, random });
  const draw = (rateOf: (truth: Truth) => number, runs: number): RunScores =>
    new Map(split.train.map((id) => [id, drawScores(world, rateOf(truthOf(truths, id)), { runs, random })]));
  const together = (one: RunScores, other: RunScores): RunScores =>
    new Map([...one].map(([id, scores]) => [id, [...scores, ...(other.get(id) ?? [])]]));
  let leader = draw(({ baseline }) => baseline, RUNS);
  let leads = false;
  for (let [round, idle] = [0, 0]; round < ROUNDS && idle < PATIENCE; round++, idle++) {
    if ((meanScore(leader) ?? 0) >= 1) break;
    const first = draw(({ treatment }) => treatment, 1);
    if (isOutrun(first, leader, () => RUNS)) continue;
    const draft = together(
      first,
      draw(({ treatment }) => treatment, RUNS - 1),
    );
    const gain = (meanScore(draft) ?? 0) - (meanScore(leader) ?? 0);
    // Between equals the judges lean to one or the other.
    if (Math.abs(gain) < 1e-9 ? random() < 0.5 : gain > 0) [leader, leads, idle] = [draft, true, -1];
  }
  if (!leads) return false;
  const fresh = truths.map((truth) =>
    drawCaseRuns(world, truth, { treatment: FRESH_RUNS, baseline: FRESH_RUNS, random }),
  );
  const test = withinCaseTest(fresh);
  return test !== null && test.lift > 0 && test.pValue <= 0.05;
}

/** The rule before: a draft wins where three judges of one taste prefer its first runs, and held-out cases do not pass less. */
export function adoptsByMajority({ world, cases, effect, random }: LoopDraw): boolean {
  const { truths, split } = drawLoop({ world, cases, effect, random });
  const draw = (rateOf: (truth: Truth) => number) =>
    truths.map((truth) => drawScores(world, rateOf(truth), { runs: RUNS, random }));
  const heldOut = (all: readonly (readonly number[])[]) =>
    mean(split.heldOut.map((id) => mean(all[Number(id)] ?? []) ?? 0)) ?? 0;
  let best = draw(({ baseline }) => baseline);
  let adopted = false;
  for (let [round, idle] = [0, 0]; round < ROUNDS && idle < PATIENCE; round++, idle++) {
    const draft = draw(({ treatment }) => treatment);
    const votes = truths.flatMap((_, at) => {
      const seen = (draft[at]?.[0] ?? 0) - (best[at]?.[0] ?? 0) + 0.5 * drawNormal(random);
      return Array.from({ length: 3 }, () => Math.sign(seen));
    });
    if (coinsName(votes) === 1 && heldOut(draft) >= heldOut(best) - 1e-9)
      [best, adopted, idle] = [draft, true, -1];
  }
  return adopted;
}

function drawLoop({ world, cases, effect, random }: LoopDraw) {
  const truths = Array.from({ length: cases }, () => drawCase(world, random, { lift: effect }));
  return {
    truths,
    split: splitCases(
      truths.map((_, at) => String(at)),
      1,
    ),
  };
}

function truthOf(truths: readonly Truth[], id: string): Truth {
  return truths[Number(id)] ?? { baseline: 0, treatment: 0 };
}
