import type { Command } from "commander";
import { UserError } from "../../domain/user-error.ts";
import type { AdaptivePlan, BenchOptions } from "../../report/benchmark/options.ts";
import { textOption } from "./targets.ts";
import { share, wholeNumber } from "./numbers.ts";
import type { RunOptions } from "./run.ts";

/** What a person said about a benchmark, beyond what they say about a run. */
export interface BenchFlags {
  /** A git ref or a directory with the other version; null: without any skill. */
  readonly against: string | null;
  readonly inline: boolean;
  readonly aa: boolean;
  readonly minEffect: number;
  readonly reuse: boolean;
  readonly baselineIteration: number | null;
  readonly updateBaseline: boolean;
  readonly maxDrop: number | null;
}

/** Runs of each case in each arm: to see that it works, to trust it, to find small regressions. */
const PRESETS = { smoke: 1, reliable: 5, regression: 10 } as const;
export const DEFAULT_RUNS = 3;
/** Runs between two looks of `--adaptive`, and how many at most unless `--runs` says. */
const ADAPTIVE: AdaptivePlan = { step: 2, maxRuns: 8 };

export function defineBenchOptions(command: Command): void {
  command
    .option("--against <ref>", "compare with another version: a git ref, or a directory with the skill")
    .option(
      "--inline",
      "a further arm with the skill's text in the prompt: what it says, apart from whether it is found",
    )
    .option("--aa", "run the same arm twice and report how often the set-up raises a false alarm")
    .option("--smoke", `${PRESETS.smoke} run per case and arm: does it work at all`)
    .option("--reliable", `${PRESETS.reliable} runs per case and arm`)
    .option("--regression", `${PRESETS.regression} runs per case and arm: for small effects`)
    .option("--min-effect <share>", "the smallest difference in pass rate that matters", share, 0)
    .option("--no-reuse", "run baselines again even where nothing they depend on has changed")
    .option(
      "--baseline-iteration <n>",
      "also compare with this earlier iteration, and fail where it was better",
      wholeNumber(1),
    )
    .option("--update-baseline", "keep this result as the last known good in assay-baseline.json")
    .option(
      "--max-drop <share>",
      "fail when the mean pass rate falls by more than this below the last known good",
      share,
    );
}

export function readBenchFlags(raw: Readonly<Record<string, unknown>>): BenchFlags {
  const flags = {
    against: textOption(raw["against"]),
    inline: raw["inline"] === true,
    aa: raw["aa"] === true,
    minEffect: typeof raw["minEffect"] === "number" ? raw["minEffect"] : 0,
    reuse: raw["reuse"] !== false,
    baselineIteration: typeof raw["baselineIteration"] === "number" ? raw["baselineIteration"] : null,
    updateBaseline: raw["updateBaseline"] === true,
    maxDrop: typeof raw["maxDrop"] === "number" ? raw["maxDrop"] : null,
  };
  if (flags.aa && (flags.against !== null || flags.inline)) {
    throw new UserError("bench/conflict", "--aa compares one arm with itself, so it takes no other arm", {
      hint: "leave out --against and --inline",
    });
  }
  return flags;
}

/** The run's options as a benchmark needs them: tasks only, and the runs that the preset or the looks ask for. */
export function asBenchOptions(options: RunOptions, raw: Readonly<Record<string, unknown>>): RunOptions {
  if (options.selection.mode === "trigger") {
    throw new UserError(
      "bench/no-arms",
      "a trigger query has no second arm: without the skill nothing can fire",
      {
        hint: "assay run --mode trigger",
      },
    );
  }
  const presets = (Object.keys(PRESETS) as (keyof typeof PRESETS)[]).filter((name) => raw[name] === true);
  if (presets.length + (options.runs === null ? 0 : 1) > 1) {
    throw new UserError(
      "bench/conflict",
      "--smoke, --reliable, --regression and --runs each say how often to run",
      {
        hint: "give one of them",
      },
    );
  }
  const preset = presets[0] === undefined ? null : PRESETS[presets[0]];
  return {
    ...options,
    runs: options.runs ?? preset,
    adaptive: false,
    selection: { ...options.selection, mode: "artifact" },
  };
}

export function evaluationOptions(flags: BenchFlags, asked: RunOptions, runs: number | null): BenchOptions {
  const { minEffect, aa } = flags;
  const maxRuns = runs ?? ADAPTIVE.maxRuns;
  const adaptive = asked.adaptive && !aa ? { step: Math.min(ADAPTIVE.step, maxRuns), maxRuns } : null;
  return { alpha: 0.05, minEffect, aa, adaptive };
}

/** What a benchmark means by the run's words; those about trigger queries mean nothing here. */
export function explainRunOptions(command: Command): void {
  const words: Readonly<Record<string, string>> = {
    "--runs": `runs per case and arm (default: what the case says, else ${DEFAULT_RUNS}; with --adaptive the most)`,
    "--adaptive": "add runs while the verdict is open, with a stopping rule that keeps the error rate",
    "--allow-missing": "left-out trials and unscored checks of both arms to bear before exit 3",
  };
  for (const option of command.options) {
    const text = words[option.long ?? ""];
    if (text !== undefined) option.description = text;
    if (ABOUT_TRIGGERS.has(option.long ?? "")) option.hideHelp();
  }
}

const ABOUT_TRIGGERS: ReadonlySet<string> = new Set(["--mode", "--trigger-threshold", "--probe", "--rivals"]);
