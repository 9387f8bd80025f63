import type { Command } from "commander";
import type { GateOptions } from "../../report/gates.ts";
import { textOption } from "../load-options.ts";
import { commaList, share, wholeNumber } from "../numbers.ts";

/** What a person said about grading again, with what they did not say as null. */
export interface GradeOptions {
  readonly only: readonly string[];
  readonly asRun: boolean;
  readonly evals: string | null;
  readonly skill: string | null;
  readonly cases: readonly string[];
  readonly output: string | null;
  readonly labels: string | null;
  readonly concurrency: number;
  readonly gates: GateOptions;
  readonly json: boolean;
  readonly reporters: readonly string[];
}

export function defineGradeOptions(command: Command): void {
  command
    .option(
      "--only <text>",
      "only checks whose id or text contains this; prints, and keeps nothing; repeatable",
      collect,
      [],
    )
    .option("--as-run", "hold the runs to the checks they were run with, not to those of the eval files now")
    .option("--output <file>", "grade this captured text; nothing is run and nothing is kept")
    .option("--calibrate <labels>", "compare the judge with a person's labels (YAML, JSON or feedback.json)")
    .option("--evals <path>", "the eval file or directory to take checks from")
    .option("--skill <path>", "the skill whose evals to take checks from")
    .option("--case <ids>", "only these cases, with commas", commaList)
    .option("--concurrency <n>", "runs graded at once", wholeNumber(1), 8)
    .option(
      "--allow-missing <n>",
      "left-out trials and unscored checks to bear before exit 3",
      wholeNumber(0),
      0,
    )
    .option("--min-pass-rate <share>", "ask for this share of checks per run instead of all", share)
    .option("--workspace <dir>", "where the results are (default: .assay in the project)")
    .option("--reporter <names>", "terminal, json, junit; with commas; NAME=FILE writes a file", commaList, [
      "terminal",
    ])
    .option("--json", "print only the result, as JSON");
}

export function readGradeOptions(raw: Readonly<Record<string, unknown>>): GradeOptions {
  const number = (name: string) => (typeof raw[name] === "number" ? raw[name] : null);
  return {
    only: raw["only"] as string[],
    asRun: raw["asRun"] === true,
    evals: textOption(raw["evals"]),
    skill: textOption(raw["skill"]),
    cases: (raw["case"] as string[] | undefined) ?? [],
    output: textOption(raw["output"]),
    labels: textOption(raw["calibrate"]),
    concurrency: number("concurrency") ?? 8,
    gates: { allowMissing: number("allowMissing") ?? 0, minPassRate: number("minPassRate") },
    json: raw["json"] === true,
    reporters: raw["json"] === true ? ["json"] : (raw["reporter"] as string[]),
  };
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
