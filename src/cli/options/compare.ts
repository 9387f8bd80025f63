import type { Command } from "commander";
import { UserError } from "../../domain/user-error.ts";
import { textOption } from "./targets.ts";
import { wholeNumber } from "./numbers.ts";

/** What a person said about a comparison. */
export interface CompareOptions {
  readonly judges: number;
  readonly seed: number;
  readonly cases: readonly string[];
  /** Repetitions of each case that are compared. */
  readonly perCase: number;
  readonly flipsOnly: boolean;
  readonly cross: boolean;
  readonly analyze: boolean;
  readonly human: boolean;
  readonly prompt: string | null;
  readonly evals: string | null;
  readonly skill: string | null;
  readonly concurrency: number;
  readonly json: boolean;
}

const DEFAULT_JUDGES = 3;

export function defineCompareOptions(command: Command): void {
  command
    .option("--flips", "only which checks changed; asks no judge")
    .option("--analyze", "also say why, and what to change in the skill, with lines and events")
    .option("--human", "show the same pairs to you, blind, and say how far the judges agree with you")
    .option("--pairs <n>", "repetitions of each case to compare", wholeNumber(1), 1)
    .option("--cross", "compare also what different harnesses or models did")
    .option("--prompt <text>", "what was asked, for two text files")
    .option("--skill <path>", "the skill that two git refs, or two text files, are about")
    .option("--evals <path>", "the eval file or directory that two text files, or versions, are about");
}

/** What a comparison means by the words of runs and judges; some mean nothing here. */
export function explainSharedOptions(command: Command): void {
  const words: Readonly<Record<string, string>> = {
    "--case": "only these cases, with commas; for two text files, the case they are of",
    "--json": "print only the comparison, as JSON",
    "--judges": "ask this many judges about each pair, in both orders",
    "--resume": "after an interruption: go on with the runs of these versions instead of starting anew",
    "--runs": "runs per case and version (default: what the case says, else 1)",
  };
  for (const option of command.options) {
    const long = option.long ?? "";
    const text = words[long];
    if (text !== undefined) option.description = text;
    if (MEANINGLESS.has(long)) option.hideHelp();
    if (ABOUT_ALL.has(long)) option.helpGroup("Options:");
  }
  // One judge decides nothing here: coins would agree with it too often.
  command.options.find(({ long }) => long === "--judges")?.default(DEFAULT_JUDGES);
  command.setOptionValueWithSource("judges", DEFAULT_JUDGES, "default");
}

/** Not only about running or judging. */
const ABOUT_ALL: ReadonlySet<string> = new Set(["--case", "--json", "--seed", "--workspace", "--config"]);

const MEANINGLESS: ReadonlySet<string> = new Set([
  "--mode",
  "--trigger-threshold",
  "--probe",
  "--rivals",
  "--adaptive",
  "--shard",
  "--changed",
  "--no-grade",
  "--min-pass-rate",
  "--allow-missing",
  "--reporter",
  "--judge-runs",
]);

export function readCompareOptions(raw: Readonly<Record<string, unknown>>): CompareOptions {
  for (const flag of ["analyze", "human"]) {
    if (raw["flips"] !== true || raw[flag] !== true) continue;
    throw new UserError("compare/flips-only", `--flips and --${flag} exclude each other`, {
      hint: `--flips looks at checks alone; --${flag} needs the blind comparison`,
    });
  }
  const number = (name: string) => (typeof raw[name] === "number" ? raw[name] : null);
  return {
    judges: number("judges") ?? DEFAULT_JUDGES,
    seed: number("seed") ?? 1,
    cases: (raw["case"] as string[] | undefined) ?? [],
    perCase: number("pairs") ?? 1,
    flipsOnly: raw["flips"] === true,
    cross: raw["cross"] === true,
    analyze: raw["analyze"] === true,
    human: raw["human"] === true,
    prompt: textOption(raw["prompt"]),
    evals: textOption(raw["evals"]),
    skill: textOption(raw["skill"]),
    concurrency: number("concurrency") ?? 4,
    json: raw["json"] === true,
  };
}
