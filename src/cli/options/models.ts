import { type Command, Option } from "commander";
import type { GradingWishes } from "../../providers/grading-choice.ts";
import { configuredBy } from "../../engine/config.ts";
import { textOption } from "./targets.ts";
import { positive, wholeNumber } from "./numbers.ts";

/** What a person said about model services: who judges, and what it may cost. */
export interface ModelOptions {
  readonly grading: GradingWishes;
  readonly configuredGrading: GradingWishes;
  /** How many judges form the panel. */
  readonly judges: number;
  /** How often each is asked the same. */
  readonly judgeRuns: number;
  readonly cache: boolean;
  readonly network: "allowed" | "off";
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
}

export function defineModelOptions(command: Command): void {
  command
    .option("--grading-provider <name>", "who judges: anthropic, openai, openai-compatible or auto")
    .option("--grading-model <name>", "the judge's model; several with commas sit on one panel")
    .option("--transport <how>", "how the judge is reached: api, cli or auto")
    .option("--judges <n>", "ask this many judges and go by their majority", wholeNumber(1), 1)
    .option(
      "--judge-runs <k>",
      "ask each judge this often and report how far it agrees with itself",
      wholeNumber(1),
      1,
    )
    .option("--no-cache", "ask judges again what they have answered before")
    .addOption(
      new Option("--network <how>", "whether URL checks may ask the web")
        .choices(["allowed", "off"])
        .default("allowed"),
    )
    .option("--max-cost <usd>", "stop before agents and judges together cost more", positive)
    .option("--max-tokens <n>", "stop before agents and judges together use more tokens", wholeNumber(1));
}

export function readModelOptions(raw: Readonly<Record<string, unknown>>): ModelOptions {
  const configured = configuredBy(raw);
  const number = (name: string) => (typeof raw[name] === "number" ? raw[name] : null);
  return {
    grading: {
      gradingProvider: textOption(raw["gradingProvider"]),
      gradingModel: textOption(raw["gradingModel"]),
      transport: textOption(raw["transport"]),
    },
    configuredGrading: {
      gradingProvider: configured.grading_provider,
      gradingModel: configured.grading_model,
      transport: configured.transport,
    },
    judges: number("judges") ?? 1,
    judgeRuns: number("judgeRuns") ?? 1,
    cache: raw["cache"] !== false,
    network: raw["network"] === "off" ? "off" : "allowed",
    maxCostUsd: number("maxCost"),
    maxTokens: number("maxTokens"),
  };
}
