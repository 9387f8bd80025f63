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
  prompts: option(
    "--prompts <dir>",
    text,
    "your own instructions for judges: grader.md, comparator.md, analyzer.md",
  ),
  judges: optionOr(
    "--judges <n>",
    { kind: wholeNumber(1), otherwise: 1 },
    "ask this many judges and take the majority",
  ),
  judgeRuns: optionOr(
    "--judge-runs <k>",
    { kind: wholeNumber(1), otherwise: 1 },
    "ask each judge this many times and report how consistent it is",
  ),
  judgeContext: option(
    "--judge-context <tokens>",
    wholeNumber(1000),
    "context size of the judge, in tokens; longer evidence is read in several passes",
  ),
  cache: optionOr(
    "--no-cache",
    { kind: flag, otherwise: true },
    "ask judges again, even what they have already answered",
  ),
  urlChecks: optionOr(
    "--url-checks <how>",
    { kind: choice(["allowed", "off"]), otherwise: "allowed" },
    "whether URL checks may access the web",
    { config: "url_checks" },
  ),
  maxCostUsd: option(
    "--max-cost <usd>",
    positive,
    "stop before agents and judges together cost more than this",
    {
      config: "max_cost",
    },
  ),
  maxTokens: option(
    "--max-tokens <n>",
    wholeNumber(1),
    "stop before agents and judges together use more tokens than this",
    { config: "max_tokens" },
  ),
};

/** Whether model traffic is recorded or played back. */
export const CASSETTES = {
  record: optionOr(
    "--record",
    { kind: flag, otherwise: false },
    "record what models say, to replay the run without them",
  ),
  replay: option(
    "--replay [how]",
    choice(["only", "auto"]),
    "replay a recording, without network or key; auto records what is new",
    { preset: "only" },
  ),
  replayStrict: optionOr(
    "--replay-strict",
    { kind: flag, otherwise: false },
    "treat a tool result that differs from the recording as a miss",
  ),
  cassettes: option(
    "--cassettes <dir>",
    text,
    "where recordings (cassettes) are (default: in the results folder)",
    { config: "cassettes" },
  ),
};
