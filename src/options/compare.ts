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
    "what the second is held against: an iteration, a run folder, a text file, a git ref or a directory with a skill",
  ),
  second: option(null, text, "the newer one, of the same kind"),
  flips: optionOr("--flips", { kind: flag, otherwise: false }, "only which checks changed; asks no judge"),
  analyze: optionOr(
    "--analyze",
    { kind: flag, otherwise: false },
    "also say why, and what to change in the skill, with lines and events",
  ),
  human: optionOr(
    "--human",
    { kind: flag, otherwise: false },
    "show the same pairs to you, blind, and say how far the judges agree with you",
  ),
  pairs: optionOr(
    "--pairs <n>",
    { kind: wholeNumber(1), otherwise: 1 },
    "repetitions of each case to compare",
  ),
  cross: optionOr(
    "--cross",
    { kind: flag, otherwise: false },
    "compare also what different harnesses or models did",
  ),
  prompt: option("--prompt <text>", text, "what was asked, for two text files"),
  skill: { ...TARGETS.skill, help: "the skill that two git refs, or two text files, are about" },
  evals: {
    ...TARGETS.evals,
    help: "the eval file or directory that two text files, or versions, are about",
  },
  cases: { ...cases, help: "only these cases, with commas; for two text files, the case they are of" },
  seed,
  ...PLACE,
};

/** How versions are run before they are compared. */
export const RUNNING_VERSIONS = {
  projectRoot: TARGETS.projectRoot,
  ...selection,
  ...running,
  ...AGENT,
  runs: { ...selection.runs, help: "runs per case and version (default: what the case says, else 1)" },
  resume: {
    ...running.resume,
    help: "after an interruption: continue the runs of these versions instead of starting over",
  },
};

/** Who compares. One judge decides nothing here: coins would agree with it too often. */
export const COMPARING_JUDGES = {
  ...MODELS,
  judges: optionOr(
    "--judges <n>",
    { kind: wholeNumber(1), otherwise: 3 },
    "ask this many judges about each pair, in both orders",
  ),
};

export const COMPARE = { ...COMPARING, ...RUNNING_VERSIONS, ...COMPARING_JUDGES, ...CASSETTES };
