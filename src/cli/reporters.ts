import { type Look, PLAIN, shellWord, shownPath } from "../operations/text.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../domain/user-error.ts";
import { type Config, configured } from "../operations/config.ts";
import { commaList } from "../operations/options.ts";
import { BUILT_IN_REPORTERS, type Reporter, type ReporterOutput } from "../operations/reporters.ts";
import type { Machine } from "../machine.ts";
import type { CommandCall } from "./command.ts";
import type { LiveView } from "./live/view.ts";
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

function detailOf({ options }: CommandCall): Detail {
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
export async function reportersOf(call: CommandCall, out = call.terminal.out): Promise<readonly Reporter[]> {
  const config = await call.config();
  const known = [...BUILT_IN_REPORTERS, ...config.plugins.reporters];
  const names = reporterNames(call, config);
  const written = new Set<string>();
  const detail = detailOf(call);
  const reporters = names.map((wanted) => {
    const [name = "", ...rest] = wanted.split("=");
    const found = known.find((one) => one.name === name);
    const to = { out, wrote: (path: string) => void written.add(path) };
    const command = commandText(call.words);
    const output = { ...outputTo(rest.join("="), call.terminal, to), command };
    if (found !== undefined) return found.create(detail === "quiet" ? quieted(output) : output);
    throw new UserError("run/unknown-reporter", `there is no reporter ${JSON.stringify(name)}`, {
      hint: `choose from ${known.map((one) => one.name).join(", ")}; NAME=FILE writes a file`,
    });
  });
  const isSilent = names.every((name) => name.includes("="));
  return [
    ...(detail === "verbose" ? [verboseReporter(call.terminal)] : []),
    ...reporters,
    ...(isSilent && detail !== "quiet" ? [writtenReporter(written, call.terminal)] : []),
  ];
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

/** The door of a command that runs trials: its machine knows the files that reporters write, and a live view hears of both. */
export async function runDoor(call: CommandCall): Promise<RunDoor> {
  const config = await call.config();
  const detail = detailOf(call);
  const view = detail === "usual" ? await viewOf(call, config) : null;
  const reporters = await reportersOf(call);
  const files = reporterNames(call, config).flatMap((wanted) => {
    const at = wanted.indexOf("=");
    return at < 0 ? [] : [resolve(call.terminal.cwd, wanted.slice(at + 1))];
  });
  // Taken out once: looking where output goes may walk a folder.
  const { outputs = [], note, ...machine } = call.machine;
  return {
    config,
    machine: {
      ...machine,
      outputs: [...outputs, ...files],
      note: (said) => {
        if (detail === "quiet") return;
        if (typeof said !== "string" && "kind" in said) view?.expect(said);
        note(said);
      },
    },
    reporters: view === null ? reporters : [view.reporter, ...reporters],
    [Symbol.dispose]: () => view?.stop(),
  };
}

/** Disposing of it ends the live view, also where no report came. */
interface RunDoor extends Disposable {
  readonly machine: Machine;
  readonly config: Config;
  readonly reporters: readonly Reporter[];
}

/** Null: nobody watches, or what is printed is for a program. */
async function viewOf(call: CommandCall, config: Config): Promise<LiveView | null> {
  const { screen, decorated } = call.terminal;
  if (screen === undefined || !reporterNames(call, config).includes("terminal")) return null;
  const { liveView } = await import("./live/view.ts");
  return liveView(screen, decorated.err);
}

/** The terminal's, for commands that run trials on the way to something else: all it says is progress. */
export function progressReporters(terminal: Terminal): readonly Reporter[] {
  return builtIn("terminal", outputTo("", terminal, { out: terminal.err, wrote: () => {} })).map(
    (reporter) => ({
      name: reporter.name,
      event: (...heard) => reporter.event?.(...heard),
    }),
  );
}

/** The reporter of this name, for what was reported before. */
export function reprinting(name: string, { terminal, words }: CommandCall): readonly Reporter[] {
  const output = outputTo("", terminal, { out: terminal.out, wrote: () => {} });
  return builtIn(name, { ...output, command: commandText(words) });
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

function reporterNames({ options }: CommandCall, config: Config): readonly string[] {
  if (options["json"] === true) return ["json"];
  return (options["reporter"] as string[] | undefined) ?? configured(config, "reporter") ?? ["terminal"];
}

interface Destination {
  readonly out: (text: string) => void;
  /** Told of each file after something was written to it. */
  readonly wrote: (path: string) => void;
}

function outputTo(file: string, terminal: Terminal, { out, wrote }: Destination): ReporterOutput {
  const { err, cwd } = terminal;
  return {
    write: file === "" ? out : fileWriter(resolve(cwd, file), wrote),
    progress: err,
    show: (path) => shownPath(path, cwd),
    ...(file === "" && { look: lookOf(terminal) }),
  };
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
