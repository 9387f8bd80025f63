import { flag, text, texts, wholeNumber } from "./kind.ts";
import { MODELS, CASSETTES } from "./models.ts";
import { RUNNING, SELECTION } from "./run.ts";
import { option, optionOr, pick } from "./table.ts";
import { PLACE } from "./targets.ts";

/** Where the checks come from. */
export const CHECKS = {
  evals: option("--evals <path>", text, "the eval file or directory to take checks from"),
  skill: option("--skill <path>", text, "the skill whose evals to take checks from"),
  ...pick(SELECTION, ["cases"]),
};

/** Which stored runs, and whether the checks are those they were run with. */
export const STORED = {
  iteration: option(null, text, "an iteration-N folder, SKILL@N or SKILL (default: the newest of all)"),
  asRun: optionOr(
    "--as-run",
    { kind: flag, otherwise: false },
    "hold the runs to the checks they were run with, not to those of the eval files now",
  ),
};

/** Which checks are tried, and what is asked of them. */
export const HELD_TO = {
  only: optionOr(
    "--only <text>",
    { kind: texts, otherwise: [] },
    "only checks whose id or text contains this; prints, and keeps nothing; repeatable",
    { repeatable: true },
  ),
  allowMissing: option(
    "--allow-missing <n>",
    wholeNumber(0),
    "how many missing results to tolerate before exit 3 (default: as it was run, else 0)",
    { config: "allow_missing" },
  ),
  minPassRate: {
    ...RUNNING.minPassRate,
    help: "ask for this share of checks per run instead of all (default: as it was run)",
  },
};

/** How many runs are graded at once. */
export const AT_ONCE = {
  concurrency: optionOr("--concurrency <n>", { kind: wholeNumber(1), otherwise: 8 }, "runs graded at once", {
    config: "concurrency",
  }),
};

/** Who judges, at what cost, and where answers and recordings are kept. */
export const JUDGING = { ...PLACE, ...MODELS, ...CASSETTES };
