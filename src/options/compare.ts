import { flag, text, wholeNumber } from "./kind.ts";
import { CASSETTES, MODELS } from "./models.ts";
import { AGENT, RUNNING, SELECTION } from "./run.ts";
import { option, optionOr } from "./table.ts";
import { PLACE, TARGETS } from "./targets.ts";

const { cases, ...selection } = SELECTION;
const { seed, ...running } = RUNNING;

/** What is compared, and what to find out. */
export const COMPARING = {
  first: option(
    null,
    text,
    "the older one: an iteration, a run folder, a text file, a git ref or a skill directory",
  ),
  second: option(null, text, "the newer one, of the same kind"),
  flips: optionOr(
    "--flips",
    { kind: flag, otherwise: false },
    "only show which checks changed; asks no judge",
  ),
  analyze: optionOr(
    "--analyze",
    { kind: flag, otherwise: false },
    "also explain why, and what to change in the skill, with references",
  ),
  human: optionOr(
    "--human",
    { kind: flag, otherwise: false },
    "judge the same pairs yourself, blind, and see whether the judges agree with you",
  ),
  pairs: option(
    "--pairs <n>",
    wholeNumber(1),
    "compare at most this many repetitions of each case (default: all)",
  ),
  cross: optionOr(
    "--cross",
    { kind: flag, otherwise: false },
    "allow comparing different harnesses or models",
  ),
  prompt: option("--prompt <text>", text, "what was asked, for two text files"),
  skill: { ...TARGETS.skill, help: "the skill that two git refs, or two text files, are about" },
  evals: {
    ...TARGETS.evals,
    help: "the eval file or directory that two text files, or versions, are about",
  },
  cases: { ...cases, help: "only these cases (comma-separated); for two text files, their case" },
  seed,
  ...PLACE,
};

/** How versions are run before they are compared. */
export const RUNNING_VERSIONS = {
  projectRoot: TARGETS.projectRoot,
  ...selection,
  ...running,
  ...AGENT,
  runs: { ...selection.runs, help: "runs per case and version (default: the case's own, or 3)" },
  resume: {
    ...running.resume,
    help: "after an interruption: continue the runs of these versions instead of starting over",
  },
};

/** Who compares. However many see a pair, they are one voice; more of them make it clearer. */
export const COMPARING_JUDGES = {
  ...MODELS,
  judges: optionOr(
    "--judges <n>",
    { kind: wholeNumber(1), otherwise: 3 },
    "ask this many judges about each pair, in both orders",
  ),
};

export const COMPARE = { ...COMPARING, ...RUNNING_VERSIONS, ...COMPARING_JUDGES, ...CASSETTES };
