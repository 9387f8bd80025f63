import { type Look, PLAIN, shellWord, shownPath } from "../operations/text.ts";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../domain/user-error.ts";
import { type Config, configured } from "../operations/config.ts";
import { commaList } from "../operations/options.ts";
import {
  BUILT_IN_REPORTERS,
  reportFile,
  type Reporter,
  type ReporterOutput,
} from "../operations/reporters.ts";
import type { Machine } from "../machine.ts";
import type { CommandCall } from "./command.ts";
import { isAgentReading } from "./reader.ts";
import { widthOf } from "./render/fitted.ts";
import { verboseReporter } from "./render/verbose.ts";
import { shortResult } from "./render/written-files.ts";
import type { Terminal } from "./terminal.ts";

/** `--reporter` and `--json`. */
export function defineReporters(command: Command): void {
  const names = BUILT_IN_REPORTERS.map(({ name }) => name).join(", ");
  command
    .option(
      "--reporter <names>",
      `${names}; comma-separated; NAME=FILE writes a file (default: terminal)`,
      collect,
    )
    .option("--json", "print only the summary, as JSON")
    .option("-q, --quiet", "only the result, in short: no progress, no notes")
    .option("-v, --verbose", "also show what agents do: each tool call, each check that passed");
}

/** How much is said on the way to the result. */
type Detail = "quiet" | "usual" | "verbose";

export function detailOf({ options }: CommandCall): Detail {
  if (options["quiet"] !== true) return options["verbose"] === true ? "verbose" : "usual";
  if (options["verbose"] !== true) return "quiet";
  throw new UserError("run/contradiction", "--quiet and --verbose cannot be combined", {
    hint: "use only one of the two",
  });
}

/**
 * Those that flags ask for, else the configuration, else the terminal's; `out` is where results go. Where all of it goes into
 * files, stderr says which and how it ended.
 */
export async function reportersOf(call: CommandCall): Promise<readonly Reporter[]> {
  const config = await call.config();
  const known = [...BUILT_IN_REPORTERS, ...config.plugins.reporters];
  const names = reporterNames(call, config);
  const written = new Set<string>();
  const detail = detailOf(call);
  const reporters: Reporter[] = [];
  for (const wanted of names) {
    const [name = "", ...rest] = wanted.split("=");
    const found = known.find((one) => one.name === name);
    if (found === undefined)
      throw new UserError("run/unknown-reporter", `there is no reporter ${JSON.stringify(name)}`, {
        hint: `choose from ${known.map((one) => one.name).join(", ")}; NAME=FILE writes a file`,
      });
    const file = rest.join("=");
    const usual = { ...outputTo(call.terminal), command: commandText(call.words) };
    const wrote = (path: string): void => void written.add(path);
    const output = file === "" ? usual : await toFile(file, usual, { machine: call.machine, wrote });
    reporters.push(found.create(detail === "quiet" ? quieted(output) : output));
  }
  const isSilent = names.every((name) => name.includes("="));
  return [
    ...(detail === "verbose" ? [verboseReporter(call.terminal)] : []),
    ...reporters,
    ...(isSilent && detail !== "quiet" ? [writtenReporter(written, call.terminal)] : []),
  ];
}

/** The file is plain: who reads it is not known. */
async function toFile(
  file: string,
  output: ReporterOutput,
  { machine, wrote }: { machine: Machine; wrote: (path: string) => void },
): Promise<ReporterOutput> {
  return { ...output, look: PLAIN, write: await reportFile(resolve(machine.cwd, file), machine, wrote) };
}

function quieted({ look = PLAIN, ...output }: ReporterOutput): ReporterOutput {
  return { ...output, look: { ...look, brief: true }, progress: () => {} };
}

/** Comes last, when all files are written. */
function writtenReporter(written: ReadonlySet<string>, { err, cwd }: Terminal): Reporter {
  return {
    name: "written files",
    finish(reports) {
      for (const path of written) err(`wrote ${shownPath(path, cwd)}: ${shortResult(reports)}\n`);
    },
  };
}

/** The terminal's, for commands that run trials on the way to something else: all it says is progress. */
export function progressReporters(terminal: Terminal): readonly Reporter[] {
  return builtIn("terminal", { ...outputTo(terminal), write: terminal.err }).map((reporter) => ({
    name: reporter.name,
    event: (...heard) => reporter.event?.(...heard),
  }));
}

/** The reporter of this name, for what was reported before. */
export function reprinting(name: string, { terminal, words }: CommandCall): readonly Reporter[] {
  return builtIn(name, { ...outputTo(terminal), command: commandText(words) });
}

function builtIn(name: string, output: ReporterOutput): readonly Reporter[] {
  return BUILT_IN_REPORTERS.filter((one) => one.name === name).map(({ create }) => create(output));
}

function commandText(words: readonly string[]): string {
  return ["assay", ...words.map(shellWord)].join(" ");
}

/** Whether what is printed is for a person to read. */
export async function isForPeople(call: CommandCall): Promise<boolean> {
  return reporterNames(call, await call.config()).includes("terminal");
}

export function reporterNames({ options }: CommandCall, config: Config): readonly string[] {
  if (options["json"] === true) return ["json"];
  return (options["reporter"] as string[] | undefined) ?? configured(config, "reporter") ?? ["terminal"];
}

function outputTo(terminal: Terminal): ReporterOutput {
  const { out, err, cwd } = terminal;
  return { write: out, progress: err, show: (path) => shownPath(path, cwd), look: lookOf(terminal) };
}

/** Lines are broken for a terminal alone: whoever searches a log wants them whole. */
export function lookOf(terminal: Terminal): Look {
  const columns = widthOf(terminal, "out");
  return {
    columns,
    color: terminal.decorated.out,
    symbols: columns !== null,
    brief: isAgentReading(terminal.env),
  };
}

/** Several flags add up. */
function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), ...commaList(text)];
}
