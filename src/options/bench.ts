import { flag, share, text, wholeNumber } from "./kind.ts";
import { option, optionOr } from "./table.ts";

/** Runs of each case in each arm: to see that it works, to trust it, to find small regressions. */
export const PRESETS = { smoke: 1, reliable: 5, regression: 10 } as const;

/** What a benchmark can be told beyond what a run can be told. */
export const BENCH = {
  against: option(
    "--against <ref>",
    text,
    "compare with another version: a git ref, or a directory with the skill",
  ),
  inline: optionOr(
    "--inline",
    { kind: flag, otherwise: false },
    "a further arm with the skill's text in the prompt: what it says, apart from whether it is found",
  ),
  aa: optionOr(
    "--aa",
    { kind: flag, otherwise: false },
    "run the same arm twice and report how much runs vary where nothing differs",
  ),
  smoke: optionOr(
    "--smoke",
    { kind: flag, otherwise: false },
    `${PRESETS.smoke} run per case and arm: does it work at all`,
  ),
  reliable: optionOr(
    "--reliable",
    { kind: flag, otherwise: false },
    `${PRESETS.reliable} runs per case and arm`,
  ),
  regression: optionOr(
    "--regression",
    { kind: flag, otherwise: false },
    `${PRESETS.regression} runs per case and arm: for small effects`,
  ),
  minEffect: optionOr(
    "--min-effect <share>",
    { kind: share, otherwise: 0 },
    "the smallest difference in pass rate that matters",
  ),
  reuse: optionOr(
    "--no-reuse",
    { kind: flag, otherwise: true },
    "run baselines again even where nothing they depend on has changed",
  ),
  baselineIteration: option(
    "--baseline-iteration <n>",
    wholeNumber(1),
    "also compare with this earlier iteration, and fail where it was better",
  ),
  updateBaseline: optionOr(
    "--update-baseline",
    { kind: flag, otherwise: false },
    "keep this result as the last known good in assay-baseline.json",
  ),
  maxDrop: option(
    "--max-drop <share>",
    share,
    "fail when the mean pass rate falls by more than this below the last known good",
  ),
};
