import type { Command } from "commander";
import type { Iteration } from "../../domain/iteration.ts";
import type { GateOptions } from "../../report/gates.ts";
import { textOption } from "./targets.ts";
import { commaList, names, share, wholeNumber } from "./numbers.ts";

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
  readonly allowMissing: number | null;
  readonly minPassRate: number | null;
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
    .option("--case <ids>", "only these cases, with commas", names)
    .option("--concurrency <n>", "runs graded at once", wholeNumber(1), 8)
    .option(
      "--allow-missing <n>",
      "left-out trials and unscored checks to bear before exit 3 (default: as it was run, else 0)",
      wholeNumber(0),
    )
    .option(
      "--min-pass-rate <share>",
      "ask for this share of checks per run instead of all (default: as it was run)",
      share,
    )
    .option("--workspace <dir>", "where the results are (default: .assay of the project you are in)")
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
    allowMissing: number("allowMissing"),
    minPassRate: number("minPassRate"),
    json: raw["json"] === true,
    reporters: raw["json"] === true ? ["json"] : (raw["reporter"] as string[]),
  };
}

/** What was said now, else what the iteration was run with: the same demands, unless somebody changes them. */
export function gatesOf(
  { allowMissing, minPassRate }: GradeOptions,
  iteration: Pick<Iteration, "options"> | null,
): GateOptions {
  const recorded = (name: string) => {
    const value = iteration?.options[name];
    return typeof value === "number" ? value : null;
  };
  return {
    allowMissing: allowMissing ?? recorded("allowMissing") ?? 0,
    minPassRate: minPassRate ?? recorded("minPassRate"),
  };
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
