import { flag, text, wholeNumber } from "./kind.ts";
import { RUN } from "./run.ts";
import { optionOr, pick } from "./table.ts";
import { TARGETS } from "./targets.ts";

/** The one skill that an operation is about. */
export const ONE_SKILL = {
  skill: optionOr(
    null,
    { kind: text, otherwise: "." },
    "the SKILL.md, skill directory or command file (default: here)",
  ),
};

/** Other evals than those beside the skill, and another project than the one around it. */
export const ELSEWHERE = pick(TARGETS, ["evals", "projectRoot"]);

export const APPLY = {
  apply: optionOr(
    "--apply",
    { kind: flag, otherwise: false },
    "write the change into the skill; its files must be committed",
  ),
};

export const EDITS = {
  edits: optionOr("--edits <n>", { kind: wholeNumber(1), otherwise: 4 }, "at most this many edits at once"),
};

export const ROUNDS = {
  rounds: optionOr(
    "--rounds <n>",
    { kind: wholeNumber(1), otherwise: 5 },
    "try at most this many versions (descriptions: including the original)",
  ),
};

/** How a version that leads is confirmed. */
export const CONFIRMING = {
  freshRuns: optionOr(
    "--fresh-runs <n>",
    { kind: wholeNumber(2), otherwise: 5 },
    "new runs per case that compare the best version with the original",
  ),
  acceptEqual: optionOr(
    "--accept-equal",
    { kind: flag, otherwise: false },
    "also adopt a version that costs less and surely loses less than 20 points",
  ),
};

/** How versions of a skill are run; every other option of a run has its default. */
export const VERSIONS = pick(RUN, [
  "harnesses",
  "models",
  "runs",
  "concurrency",
  "timeoutSeconds",
  "sandbox",
  "include",
  "trust",
  "allowMissing",
  "triggerThreshold",
  "probe",
  "rivals",
  "workspace",
  "seed",
  "maxTurns",
  "permissionMode",
  "allowedTools",
  "mcp",
  "agentArgs",
  "script",
  "command",
]);
