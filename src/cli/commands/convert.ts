import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { Option } from "commander";
import { makeFolder } from "../../lib/make-folder.ts";
import { type Diagnostic, hasErrors } from "../../domain/diagnostic.ts";
import type { EvalFile, FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Written, WrittenFile } from "../../load/format.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";
import { loadTargets } from "../../load/load.ts";
import { printable } from "../../lib/printable.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { loadOptions, textOption } from "../options/targets.ts";
import { renderDiagnostics } from "../render/diagnostics.ts";
import { plural } from "../../lib/plural.ts";
import type { Terminal } from "../terminal.ts";
import { writing } from "../../operations/writing.ts";

/** Rewrites an eval file in another format; what the target has no words for stops it, unless `--lossy` is given. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<file>", "the eval file to rewrite")
      .addOption(
        new Option("--to <format>", "the format to write")
          .choices(Object.keys(BUILT_IN_FORMATS))
          .makeOptionMandatory(),
      )
      .option("--skill <path>", "the skill the file is about, where it cannot be found from the file")
      .option(
        "--output <path>",
        "write here instead of to standard output; a directory where the format needs several files",
      )
      .option("--force", "overwrite what is there")
      .option("--lossy", "write even if something cannot be expressed")
      .addHelpText(
        "after",
        `
Examples:
  assay convert SKILL.eval.json --to skill-creator
  assay convert evals/evals.json --to skillet --output evals-skillet

Exit codes: 0 written, 2 the file cannot be read, or something would be lost.`,
      );
  },
  async run({ args, options, terminal }) {
    const [path] = args as [string];
    const to = options["to"] as FormatName;
    const file = await loadOne(path, options, terminal);
    const written = (await BUILT_IN_FORMATS[to]()).write(file);
    if (written.losses.length > 0) reportLosses(written, { to, lossy: options["lossy"] === true, terminal });
    const output = textOption(options["output"]);
    if (output === null) print(written, terminal);
    else await save(written, { output, force: options["force"] === true, terminal });
    return EXIT.ok;
  },
};

async function loadOne(
  given: string,
  options: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<EvalFile> {
  const path = resolve(terminal.cwd, given);
  const { suites, diagnostics } = await loadTargets([given], loadOptions(options, terminal, null));
  const files = suites.flatMap((suite) => suite.files);
  const file = files.find((candidate) => candidate.path === path);
  const mine = diagnostics.filter(({ at }) => at === null || at.file === path);
  if (file === undefined && files.length > 0) throw notAFile(given, files, terminal);
  if (file === undefined || hasErrors(mine)) throw unreadable(given, mine.length > 0 ? mine : diagnostics);
  terminal.err(renderDiagnostics(mine, { decorated: terminal.decorated.err, cwd: terminal.cwd }));
  return file;
}

function notAFile(given: string, files: readonly EvalFile[], terminal: Terminal): UserError {
  const names = files.slice(0, 5).map(({ path }) => relative(terminal.cwd, path));
  return new UserError("convert/not-a-file", `${given} is not an eval file`, {
    hint: `convert takes one at a time, e.g. ${names.join(", ")}`,
  });
}

function unreadable(given: string, diagnostics: readonly Diagnostic[]): UserError {
  return new UserError("convert/unreadable", `${given} cannot be converted because it cannot be loaded`, {
    diagnostics,
  });
}

function reportLosses(
  { losses, text }: Written,
  { to, lossy, terminal }: { to: string; lossy: boolean; terminal: Terminal },
): void {
  const listed = losses.map((loss) => `  - ${printable(loss)}\n`).join("");
  if (!lossy) {
    terminal.err(`lost in ${to}:\n${listed}`);
    throw new UserError("convert/lossy", `nothing was written, because ${to} cannot express all of it`, {
      hint: "--lossy writes the rest anyway",
    });
  }
  if (text.trim() === "") {
    throw new UserError("convert/nothing-left", `${to} cannot express anything of this:\n${listed}`);
  }
  terminal.err(`note: ${to} cannot express everything; lost:\n${listed}`);
}

function print({ text, files = [] }: Written, terminal: Terminal): void {
  if (files.length <= 1) return terminal.out(text);
  throw new UserError("convert/several-files", `this becomes ${files.length} files`, {
    hint: "name a directory for them with --output",
  });
}

async function save(
  { text, files = [] }: Written,
  { output, force, terminal }: { output: string; force: boolean; terminal: Terminal },
): Promise<void> {
  const base = resolve(terminal.cwd, output);
  const wanted: WrittenFile[] =
    files.length > 1
      ? files.map((file) => ({ ...file, name: join(base, file.name) }))
      : [{ name: base, text }];
  const taken = wanted.find(({ name }) => existsSync(name));
  if (taken !== undefined && !force) {
    throw new UserError("convert/exists", `${relative(terminal.cwd, taken.name)} exists already`, {
      hint: "choose another --output, or add --force to overwrite it",
    });
  }
  for (const file of wanted) {
    await writing(file.name, terminal, async () => {
      await makeFolder(dirname(file.name));
      await writeFile(file.name, file.text);
    });
  }
  terminal.err(`wrote ${plural(wanted.length, "file")} to ${output}\n`);
}
