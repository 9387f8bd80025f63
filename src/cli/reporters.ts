import { shownPath } from "../operations/text.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../domain/user-error.ts";
import { type Config, configured } from "../operations/config.ts";
import { commaList } from "../operations/options.ts";
import { BUILT_IN_REPORTERS, type Reporter, type ReporterOutput } from "../operations/reporters.ts";
import type { Machine } from "../machine.ts";
import type { CommandCall } from "./command.ts";
import { shortResult } from "./render/written-files.ts";
import type { Terminal } from "./terminal.ts";

/** `--reporter` and `--json`. */
export function defineReporters(command: Command): void {
  const names = BUILT_IN_REPORTERS.map(({ name }) => name).join(", ");
  command
    .option(
      "--reporter <names>",
      `${names}; with commas; NAME=FILE writes a file (default: terminal)`,
      collect,
    )
    .option("--json", "print only the summary, as JSON");
}

/**
 * Those that flags ask for, else the configuration, else the terminal's; `out` is where results go. Where all of it goes into
 * files, stderr says which and how it ended.
 */
export async function reportersOf(call: CommandCall, out = call.terminal.out): Promise<readonly Reporter[]> {
  const config = await call.config();
  const known = [...BUILT_IN_REPORTERS, ...config.plugins.reporters];
  const names = reporterNames(call, config);
  const written = new Set<string>();
  const reporters = names.map((wanted) => {
    const [name = "", ...rest] = wanted.split("=");
    const found = known.find((one) => one.name === name);
    const to = { out, wrote: (path: string) => void written.add(path) };
    if (found !== undefined) return found.create(outputTo(rest.join("="), call.terminal, to));
    throw new UserError("run/unknown-reporter", `there is no reporter ${JSON.stringify(name)}`, {
      hint: `choose from ${known.map((one) => one.name).join(", ")}; NAME=FILE writes a file`,
    });
  });
  const isSilent = names.every((name) => name.includes("="));
  return isSilent ? [...reporters, writtenReporter(written, call.terminal)] : reporters;
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

/** The call's machine, which knows the files that its reporters write. */
export async function machineWithReports(call: CommandCall): Promise<Machine> {
  const files = reporterNames(call, await call.config()).flatMap((wanted) => {
    const at = wanted.indexOf("=");
    return at < 0 ? [] : [resolve(call.terminal.cwd, wanted.slice(at + 1))];
  });
  return { ...call.machine, outputs: [...(call.machine.outputs ?? []), ...files] };
}

/** The terminal's, for commands that run trials on the way to something else: all it says is progress. */
export function progressReporters(terminal: Terminal): readonly Reporter[] {
  const wanted = BUILT_IN_REPORTERS.filter(({ name }) => name === "terminal");
  return wanted.map(({ create }) => create(outputTo("", terminal, { out: terminal.err, wrote: () => {} })));
}

/** Whether what is printed is for a person to read. */
export async function isForPeople(call: CommandCall): Promise<boolean> {
  return reporterNames(call, await call.config()).includes("terminal");
}

function reporterNames({ options }: CommandCall, config: Config): readonly string[] {
  if (options["json"] === true) return ["json"];
  return (options["reporter"] as string[] | undefined) ?? configured(config, "reporter") ?? ["terminal"];
}

interface Destination {
  readonly out: (text: string) => void;
  /** Told of each file after something was written to it. */
  readonly wrote: (path: string) => void;
}

function outputTo(file: string, { err, cwd }: Terminal, { out, wrote }: Destination): ReporterOutput {
  return {
    write: file === "" ? out : fileWriter(resolve(cwd, file), wrote),
    progress: err,
    show: (path) => shownPath(path, cwd),
  };
}

function fileWriter(path: string, wrote: (path: string) => void): (text: string) => void {
  let flag = "w";
  return (text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag });
    flag = "a";
    wrote(path);
  };
}

/** Several flags add up. */
function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), ...commaList(text)];
}
