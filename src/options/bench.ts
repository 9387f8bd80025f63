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
    "also run with the skill's text in the prompt: tests the content apart from discovery",
  ),
  aa: optionOr(
    "--aa",
    { kind: flag, otherwise: false },
    "run the same side twice, to see how much results vary by chance",
  ),
  smoke: optionOr(
    "--smoke",
    { kind: flag, otherwise: false },
    `${PRESETS.smoke} run per case and side (with and without the skill): a first look; decides nothing below six cases`,
  ),
  reliable: optionOr(
    "--reliable",
    { kind: flag, otherwise: false },
    `${PRESETS.reliable} runs per case and side`,
  ),
  regression: optionOr(
    "--regression",
    { kind: flag, otherwise: false },
    `${PRESETS.regression} runs per case and side: for small effects`,
  ),
  minEffect: option(
    "--min-effect <share>",
    share,
    "smallest difference in pass rate that matters (default: any that is proven; below 0.2 counts as none)",
  ),
  reuse: optionOr(
    "--no-reuse",
    { kind: flag, otherwise: true },
    "run baselines again even if nothing they depend on changed",
  ),
  baselineIteration: option(
    "--baseline-iteration <n>",
    wholeNumber(1),
    "also compare with this earlier iteration, and fail if it was better",
  ),
  updateBaseline: optionOr(
    "--update-baseline",
    { kind: flag, otherwise: false },
    "save this result as the last known good, in assay-baseline.json",
  ),
  maxDrop: option(
    "--max-drop <share>",
    share,
    "fail if the mean pass rate is more than this below the last known good",
  ),
};
