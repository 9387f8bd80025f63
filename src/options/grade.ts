import { flag, text, texts, wholeNumber } from "./kind.ts";
import { MODELS, CASSETTES } from "./models.ts";
import { RUNNING, SELECTION } from "./run.ts";
import { option, optionOr, pick } from "./table.ts";
import { PLACE, TARGETS } from "./targets.ts";

/** Where the checks come from. */
export const CHECKS = {
  evals: option("--evals <path>", text, "the eval file or directory to take checks from"),
  skill: option("--skill <path>", text, "the skill whose evals to take checks from"),
  projectRoot: {
    ...TARGETS.projectRoot,
    help: "project that the evals refer to (default: found around the skill)",
  },
  ...pick(SELECTION, ["cases"]),
};

/** Which stored runs, and whether the checks are those they were run with. */
export const STORED = {
  iteration: option(null, text, "an iteration-N folder, SKILL@N or SKILL (default: the newest of all)"),
  asRun: optionOr(
    "--as-run",
    { kind: flag, otherwise: false },
    "use the checks as they were at run time, not as they are now",
  ),
};

/** Which checks are tried, and what is asked of them. */
export const HELD_TO = {
  only: optionOr(
    "--only <text>",
    { kind: texts, otherwise: [] },
    "only checks whose id or text contains this; printed, not saved; repeatable",
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
    help: "share of checks a run must pass (default: as it was run)",
  },
};

/** How many runs are graded at once. */
export const AT_ONCE = {
  concurrency: optionOr("--concurrency <n>", { kind: wholeNumber(1), otherwise: 8 }, "runs graded at once", {
    config: "concurrency",
    short: "-j",
  }),
};

/** Who judges, at what cost, and where answers and recordings are kept. */
export const JUDGING = { ...PLACE, ...MODELS, ...CASSETTES };
