import { choice, names, positive, text, wholeNumber } from "./kind.ts";
import { CASSETTES, MODELS } from "./models.ts";
import { RUN } from "./run.ts";
import { option, optionOr, pick } from "./table.ts";
import { CI_LANES } from "../domain/ci.ts";

const OUT = {
  out: option("--out <dir>", text, "folder for what the step leaves behind (default: assay-ci)"),
};

/** What a lane can be told. The settings, evals and old version are the base's, so there is no --config, --evals or --skill. */
export const LANE = {
  lane: option(null, choice(CI_LANES), "check, replay or live"),
  targets: RUN.targets,
  base: option(
    "--base <ref>",
    text,
    "the branch that the change is to go to; its evals and settings decide (default: none, all skills run)",
  ),
  ...OUT,
  ...pick(RUN, [
    "harnesses",
    "models",
    "cases",
    "shard",
    "runs",
    "concurrency",
    "timeoutSeconds",
    "sandbox",
    "network",
    "allowHosts",
    "limits",
    "trust",
    "allowMissing",
    "maxTurns",
    "script",
  ]),
  ...pick(MODELS, ["gradingProvider", "gradingModel", "transport", "maxCostUsd", "maxTokens"]),
  ...pick(CASSETTES, ["record", "cassettes"]),
};

/** What the report over all lanes can be told. */
export const CI_REPORT = {
  folders: optionOr(null, { kind: names, otherwise: ["assay-ci"] }, "what the lanes left behind"),
  lanes: optionOr(
    "--lanes <list>",
    { kind: names, otherwise: [] },
    "what CI says of each lane, e.g. check=success,replay=failure,live=skipped (default: those found)",
  ),
  require: optionOr(
    "--require <what>",
    { kind: choice(["not-worse", "better"]), otherwise: "not-worse" },
    "what a change has to be",
  ),
  ...OUT,
};

/** What posting can be told. */
export const CI_COMMENT = {
  folder: option(null, text, "folder with result.json (default: assay-ci)"),
  link: option("--link <url>", text, "where the HTML report can be had (default: the page of the CI run)"),
  timeoutSeconds: optionOr(
    "--timeout <seconds>",
    { kind: positive, otherwise: 30 },
    "how long the service may take to answer",
  ),
  maxPages: optionOr(null, { kind: wholeNumber(1), otherwise: 20 }, "pages of comments to look through"),
};
