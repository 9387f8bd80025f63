import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Option } from "commander";
import { type Diagnostic, hasErrors } from "../../domain/diagnostic.ts";
import type { EvalFile, FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Written } from "../../load/format.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";
import { loadTargets } from "../../load/load.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { loadOptions, textOption } from "../load-options.ts";
import { renderDiagnostics } from "../render/diagnostics.ts";
import type { Terminal } from "../terminal.ts";

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
      .option("--lossy", "write even if something cannot be expressed")
      .addHelpText(
        "after",
        "\nExamples:\n  assay convert SKILL.eval.json --to skill-creator\n  assay convert evals/evals.json --to skillet --output evals-skillet",
      );
  },
  async run({ args, options, terminal }) {
    const [path] = args as [string];
    const file = await loadOne(path, options, terminal);
    const written = (await BUILT_IN_FORMATS[options["to"] as FormatName]()).write(file);
    if (written.losses.length > 0)
      reportLosses(written.losses, { to: String(options["to"]), lossy: options["lossy"] === true, terminal });
    await deliver(written, textOption(options["output"]), terminal);
    return EXIT.ok;
  },
};

async function loadOne(
  path: string,
  options: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<EvalFile> {
  const { suites, diagnostics } = await loadTargets([path], loadOptions(options, terminal, null));
  const mine = diagnostics.filter((diagnostic) => isAbout(diagnostic, resolve(terminal.cwd, path)));
  const file = suites
    .flatMap((suite) => suite.files)
    .find((candidate) => candidate.path === resolve(terminal.cwd, path));
  if (file === undefined || hasErrors(mine)) {
    throw new UserError("convert/unreadable", `${path} cannot be converted because it cannot be loaded`, {
      diagnostics: mine.length > 0 ? mine : diagnostics,
    });
  }
  terminal.err(renderDiagnostics(mine, { decorated: terminal.decorated.err, cwd: terminal.cwd }));
  return file;
}

function isAbout({ at }: Diagnostic, path: string): boolean {
  return at === null || at.file === path;
}

function reportLosses(
  losses: readonly string[],
  { to, lossy, terminal }: { to: string; lossy: boolean; terminal: Terminal },
): void {
  if (!lossy) {
    throw new UserError(
      "convert/lossy",
      `${to} cannot express:\n${losses.map((loss) => `  - ${loss}`).join("\n")}`,
      {
        hint: "--lossy writes the rest anyway",
      },
    );
  }
  for (const loss of losses) terminal.err(`note: left out, because ${to} cannot express it: ${loss}\n`);
}

async function deliver(written: Written, output: string | null, terminal: Terminal): Promise<void> {
  const { files, text } = written;
  if (files === undefined || files.length === 1) {
    if (output === null) terminal.out(text);
    else await writeFile(resolve(terminal.cwd, output), text);
    return;
  }
  if (output === null) {
    throw new UserError("convert/several-files", `this becomes ${files.length} files`, {
      hint: "name a directory with --output",
    });
  }
  for (const file of files) {
    const path = join(resolve(terminal.cwd, output), file.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
  }
  terminal.err(`wrote ${files.length} files to ${output}\n`);
}
