import { shownPath } from "../operations/text.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../domain/user-error.ts";
import { commaList } from "../operations/options.ts";
import { BUILT_IN_REPORTERS, type Reporter, type ReporterOutput } from "../operations/reporters.ts";
import type { Machine } from "../machine.ts";
import type { CommandCall } from "./command.ts";
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

/** Those that flags ask for, else the configuration, else the terminal's; `out` is where results go. */
export async function reportersOf(call: CommandCall, out = call.terminal.out): Promise<readonly Reporter[]> {
  const { settings, plugins } = await call.config();
  const known = [...BUILT_IN_REPORTERS, ...plugins.reporters];
  return reporterNames(call, settings.reporter).map((wanted) => {
    const [name = "", ...rest] = wanted.split("=");
    const found = known.find((one) => one.name === name);
    if (found !== undefined) return found.create(outputTo(rest.join("="), call.terminal, out));
    throw new UserError("run/unknown-reporter", `there is no reporter ${JSON.stringify(name)}`, {
      hint: `choose from ${known.map((one) => one.name).join(", ")}; NAME=FILE writes a file`,
    });
  });
}

/** The call's machine, which knows the files that its reporters write. */
export async function machineWithReports(call: CommandCall): Promise<Machine> {
  const { settings } = await call.config();
  const files = reporterNames(call, settings.reporter).flatMap((wanted) => {
    const at = wanted.indexOf("=");
    return at < 0 ? [] : [resolve(call.terminal.cwd, wanted.slice(at + 1))];
  });
  return { ...call.machine, outputs: [...(call.machine.outputs ?? []), ...files] };
}

/** The terminal's, for commands that run trials on the way to something else: all it says is progress. */
export function progressReporters(terminal: Terminal): readonly Reporter[] {
  const wanted = BUILT_IN_REPORTERS.filter(({ name }) => name === "terminal");
  return wanted.map(({ create }) => create(outputTo("", terminal, terminal.err)));
}

/** Whether what is printed is for a person to read. */
export async function isForPeople(call: CommandCall): Promise<boolean> {
  const { settings } = await call.config();
  return reporterNames(call, settings.reporter).includes("terminal");
}

function reporterNames({ options }: CommandCall, configured: readonly string[] | null): readonly string[] {
  if (options["json"] === true) return ["json"];
  return (options["reporter"] as string[] | undefined) ?? configured ?? ["terminal"];
}

function outputTo(file: string, { err, cwd }: Terminal, out: (text: string) => void): ReporterOutput {
  return {
    write: file === "" ? out : fileWriter(resolve(cwd, file)),
    progress: err,
    show: (path) => shownPath(path, cwd),
  };
}

function fileWriter(path: string): (text: string) => void {
  let flag = "w";
  return (text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag });
    flag = "a";
  };
}

/** Several flags add up. */
function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), ...commaList(text)];
}
