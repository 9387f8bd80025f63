import { basename, dirname, relative, resolve } from "node:path";
import { packageSkill } from "../../load/package.ts";
import { printable } from "../../lib/printable.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { textOption } from "../options/targets.ts";
import { writing } from "../../operations/writing.ts";
import { renderDiagnostics } from "../render/diagnostics.ts";
import { plural } from "../../lib/plural.ts";

/** Makes a `.skill` archive whose bytes depend only on the skill. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "the skill's directory or its SKILL.md")
      .option("--output <path>", "the archive to write (default: <directory name>.skill here)")
      .addHelpText(
        "after",
        `
What is for tests only, made or secret is left out: evals/, __pycache__, node_modules, .git, .env, .DS_Store.

Examples:
  assay package skills/pdf
  assay package skills/pdf --output dist/pdf.skill

Exit codes: 0 written, 2 lint found errors, or something cannot be packed.`,
      );
  },
  async run({ args, options, terminal }) {
    const [skill] = args as [string];
    const given = resolve(terminal.cwd, skill);
    const directory = /^skill\.md$/i.test(basename(given)) ? dirname(given) : given;
    const output = resolve(terminal.cwd, textOption(options["output"]) ?? `${basename(directory)}.skill`);
    const packed = await writing(output, terminal, () => packageSkill(directory, output));
    terminal.err(renderDiagnostics(packed.notes, { decorated: terminal.decorated.err, cwd: terminal.cwd }));
    if (packed.leftOut.length > 0) terminal.err(`left out: ${printable(packed.leftOut.join(", "))}\n`);
    terminal.out(
      `${relative(terminal.cwd, packed.path)}: ${plural(packed.files.length, "file")}, ${packed.bytes} bytes, sha256 ${packed.sha256}\n`,
    );
    return EXIT.ok;
  },
};
