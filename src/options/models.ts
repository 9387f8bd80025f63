import { choice, flag, positive, text, wholeNumber } from "./kind.ts";
import { option, optionOr } from "./table.ts";

/** Who judges, and what agents and judges may cost. */
export const MODELS = {
  gradingProvider: option(
    "--grading-provider <name>",
    text,
    "who judges: a model service, or a judge of your own",
  ),
  gradingModel: option(
    "--grading-model <name>",
    text,
    "the judge's model; comma-separated models form a panel",
  ),
  transport: option("--transport <how>", text, "how the judge is reached"),
  judges: optionOr(
    "--judges <n>",
    { kind: wholeNumber(1), otherwise: 1 },
    "ask this many judges and take their majority",
  ),
  judgeRuns: optionOr(
    "--judge-runs <k>",
    { kind: wholeNumber(1), otherwise: 1 },
    "ask each judge this often and report how far it agrees with itself",
  ),
  cache: optionOr(
    "--no-cache",
    { kind: flag, otherwise: true },
    "ask judges again what they have answered before",
  ),
  network: optionOr(
    "--network <how>",
    { kind: choice(["allowed", "off"]), otherwise: "allowed" },
    "whether URL checks may ask the web",
    { config: "network" },
  ),
  maxCostUsd: option("--max-cost <usd>", positive, "stop before agents and judges together cost more", {
    config: "max_cost",
  }),
  maxTokens: option(
    "--max-tokens <n>",
    wholeNumber(1),
    "stop before agents and judges together use more tokens",
    { config: "max_tokens" },
  ),
};

/** Whether model traffic is recorded or played back. */
export const CASSETTES = {
  record: optionOr(
    "--record",
    { kind: flag, otherwise: false },
    "keep what models say, so that the same run can be replayed without them",
  ),
  replay: option(
    "--replay [how]",
    choice(["only", "auto"]),
    "play back what was recorded, without network or key; auto records what is new",
    { preset: "only" },
  ),
  replayStrict: optionOr(
    "--replay-strict",
    { kind: flag, otherwise: false },
    "a tool result that differs from the recording is a miss",
  ),
  cassettes: option(
    "--cassettes <dir>",
    text,
    "where recordings are (default: cassettes in the results folder)",
    { config: "cassettes" },
  ),
};
