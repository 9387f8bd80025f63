import { flag, text, wholeNumber } from "./kind.ts";
import { RUN } from "./run.ts";
import { optionOr, pick } from "./table.ts";
import { TARGETS } from "./targets.ts";

/** The one skill that an operation is about, and other evals than those beside it. */
export const ONE_SKILL = {
  skill: optionOr(
    null,
    { kind: text, otherwise: "." },
    "the SKILL.md, skill directory or command file (default: here)",
  ),
};

export const OTHER_EVALS = pick(TARGETS, ["evals"]);

export const APPLY = {
  apply: optionOr(
    "--apply",
    { kind: flag, otherwise: false },
    "write the change into SKILL.md, which must be committed",
  ),
};

export const EDITS = {
  edits: optionOr("--edits <n>", { kind: wholeNumber(1), otherwise: 4 }, "at most this many edits at once"),
};

export const ROUNDS = {
  rounds: optionOr(
    "--rounds <n>",
    { kind: wholeNumber(1), otherwise: 5 },
    "try at most this many versions; of a description, the original included",
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
