import type { Variant } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import { type BENCH, PRESETS } from "../../options/bench.ts";
import type { Settled } from "../../options/table.ts";
import type { AdaptivePlan, BenchmarkRules } from "../../report/benchmark/options.ts";
import type { RunSettled } from "../shared/run-request.ts";

export type BenchSettled = RunSettled & Settled<typeof BENCH>;

/** What a benchmark's options come to. */
export interface BenchSettings {
  /** The run's options as a benchmark needs them: tasks only, and as many runs as the preset or the looks ask for. */
  readonly run: RunSettled;
  /** Runs of each case in each arm where neither the caller nor the case says. */
  readonly defaultRuns: number;
  /** Compared with each other in one iteration. */
  readonly variants: readonly Variant[];
  /** In an iteration of their own. */
  readonly apart: readonly Variant[];
  /** How the arms are compared. */
  readonly comparison: BenchmarkRules;
}

export const DEFAULT_RUNS = 3;
/** Runs between two looks of `--adaptive`, and how many at most unless `--runs` says. */
const ADAPTIVE: AdaptivePlan = { step: 2, maxRuns: 8 };

/** Throws a UserError for options that contradict each other. */
export function benchSettings(settled: BenchSettled): BenchSettings {
  refuseConflicts(settled);
  const { aa, inline, minEffect } = settled;
  const runs = settled.runs ?? presetsOf(settled)[0] ?? null;
  // One arm against itself is split in two, so it gets the runs of both.
  const halves = aa ? 2 : 1;
  return {
    run: { ...settled, mode: "artifact", adaptive: false, runs: runs === null ? null : halves * runs },
    defaultRuns: halves * DEFAULT_RUNS,
    variants: variantsOf(settled),
    apart: inline ? ["inline"] : [],
    comparison: { alpha: 0.05, minEffect: minEffect ?? 0, aa, adaptive: adaptivePlan(settled, runs) },
  };
}

function refuseConflicts(settled: BenchSettled): void {
  const { aa, against, inline, mode, runs, adaptive } = settled;
  if (aa && (against !== null || inline)) {
    throw new UserError("bench/conflict", "--aa runs the same side twice, so it takes no other side", {
      hint: "leave out --against and --inline",
    });
  }
  if (aa && adaptive) {
    throw new UserError("bench/conflict", "--aa has nothing to decide, so --adaptive cannot end it early", {
      hint: "leave out --adaptive",
    });
  }
  if (mode === "trigger") {
    throw new UserError(
      "bench/no-arms",
      "a trigger query has no second arm: without the skill nothing can fire",
      { hint: "assay run --mode trigger" },
    );
  }
  if (presetsOf(settled).length + (runs === null ? 0 : 1) > 1) {
    throw new UserError(
      "bench/conflict",
      "--smoke, --reliable, --regression and --runs each set how often to run",
      { hint: "use only one of them" },
    );
  }
}

function presetsOf(settled: BenchSettled): number[] {
  return (["smoke", "reliable", "regression"] as const)
    .filter((name) => settled[name])
    .map((name) => PRESETS[name]);
}

function variantsOf({ aa, against }: BenchSettled): readonly Variant[] {
  if (aa) return ["with_skill"];
  return against === null ? ["with_skill", "without_skill"] : ["new_skill", "old_skill"];
}

function adaptivePlan({ adaptive, aa }: BenchSettled, runs: number | null): AdaptivePlan | null {
  const maxRuns = runs ?? ADAPTIVE.maxRuns;
  return adaptive && !aa ? { step: Math.min(ADAPTIVE.step, maxRuns), maxRuns } : null;
}
