import type { AdaptiveBenchmark, ArmComparison, BenchmarkSummary } from "../../domain/benchmark.ts";
import type { Variant } from "../../domain/trial.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { lookRepeatedly } from "../../stats/looks.ts";
import type { Evaluated } from "../evaluated.ts";
import { type Arm, armOf, partOf, summarizeArm } from "./arm.ts";
import { compareCases, compareSides, liftOptions, scoresOf, type Sides } from "./compare-arms.ts";
import { compareLift } from "./compare-lift.ts";
import { notesOf } from "./notes.ts";
import { runNoise } from "./run-noise.ts";
import { type AdaptivePlan, type BenchOptions, benchOptionsOf, lookSizes } from "./options.ts";

/**
 * Compares the arms of an iteration; null when nobody asked for that. `partner` is the iteration of the same group that an
 * `inline` arm is to be compared with.
 */
export function benchmarkOf(evaluated: Evaluated, partner: Evaluated | null = null): BenchmarkSummary | null {
  const options = benchOptionsOf(evaluated.iteration.options);
  if (options === null) return null;
  const arms = armsOf(evaluated, options, partner);
  const [treatment, baseline, third] = arms;
  const own = arms.filter((arm) => arm.evaluated === evaluated).map(summarizeArm);
  if (treatment === undefined || baseline === undefined) return { ...NOTHING, arms: own };
  const sides = { treatment, baseline };
  const { comparison, adaptive } = compareLooks(sides, options);
  const cases = compareCases(sides);
  return {
    verdict: comparison.passRate.verdict,
    arms: own,
    comparisons: [
      comparison,
      ...(third === undefined ? [] : [compareSides({ treatment: third, baseline: treatment }, options)]),
    ],
    cases,
    notes: notesOf({ sides, comparison, arms: own, cases, sameArm: options.aa }),
    adaptive,
    noise: options.aa ? runNoise(scoresOf(sides), liftOptions(sides, options)) : null,
  };
}

const NOTHING: Omit<BenchmarkSummary, "arms"> = {
  verdict: "invalid",
  comparisons: [],
  cases: [],
  notes: ["There is only one arm, so there is nothing to compare it with"],
  adaptive: null,
  noise: null,
};

/** The arm under test first, then what it is compared with; a third is compared with the first. */
function armsOf(evaluated: Evaluated, { aa }: BenchOptions, partner: Evaluated | null): Arm[] {
  if (aa) return halves(armOf(evaluated, "with_skill"));
  const order: readonly Variant[] = ["with_skill", "new_skill", "inline", "without_skill", "old_skill"];
  const own = order.map((variant) => armOf(evaluated, variant)).filter((arm) => arm.trials.length > 0);
  const isInline = own.length === 1 && own[0]?.variant === "inline";
  if (!isInline || partner === null) return own;
  return [...own, armOf(partner, "without_skill"), armOf(partner, "with_skill")];
}

/** The same arm twice: runs made side by side, told apart by number only. */
function halves(arm: Arm): Arm[] {
  const half = (name: string, rest: number) => partOf(arm, (trial) => trial.repetition % 2 === rest, name);
  return [half("odd runs", 1), half("even runs", 0)];
}

/** With `--adaptive` the data were looked at several times, and the verdict has to allow for that. */
function compareLooks(
  sides: Sides,
  options: BenchOptions,
): { comparison: ArmComparison; adaptive: AdaptiveBenchmark | null } {
  const comparison = compareSides(sides, options);
  if (options.adaptive === null) return { comparison, adaptive: null };
  const sizes = lookSizes(options.adaptive);
  const made = looksMade(sides, sizes);
  const looked = made.map((runs) => scoresOf(upTo(sides, runs)));
  const lift = liftOptions(sides, options);
  const taken = lookRepeatedly(
    looked.map(({ treatment, baseline }) => caseRunsOf(treatment, baseline)),
    { ...lift, sizes },
  );
  const last = taken && looked[taken.looks.length - 1];
  if (taken === null || last === undefined || last === null) return { comparison, adaptive: null };
  const at = (status: typeof taken.status) => (taken.status === status ? taken.looks.length : null);
  return {
    comparison: {
      ...comparison,
      passRate: compareLift(last, { ...lift, alpha: taken.comparison.alpha }, taken.comparison),
    },
    adaptive: {
      maxLooks: sizes.length,
      decidedAt: at("decided"),
      givenUpAt: at("futile"),
      looks: taken.looks.map(({ runs, threshold, pValue }) => ({ runs, threshold, pValue })),
      ...runCounts(sides, options.adaptive),
    },
  };
}

/** The looks that the runs there are allow; an unfinished round is no look. */
function looksMade(sides: Sides, sizes: readonly number[]): readonly number[] {
  const most = Math.max(0, ...sides.treatment.trials.map((trial) => trial.repetition));
  return sizes.filter((runs) => runs <= most);
}

function upTo({ treatment, baseline }: Sides, runs: number): Sides {
  const cut = (arm: Arm) => partOf(arm, (trial) => trial.repetition <= runs);
  return { treatment: cut(treatment), baseline: cut(baseline) };
}

function runCounts({ treatment, baseline }: Sides, { maxRuns }: AdaptivePlan) {
  const trials = [...treatment.trials, ...baseline.trials];
  const cases = new Set(trials.map((trial) => `${trial.caseId} ${trial.variant}`)).size;
  return { plannedRuns: cases * maxRuns, runs: trials.length };
}
