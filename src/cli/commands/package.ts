import { basename, dirname, relative, resolve } from "node:path";
import { packageSkill } from "../../load/package.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { textOption } from "../load-options.ts";
import { renderDiagnostics } from "../render/diagnostics.ts";
import { plural } from "../render/plural.ts";

/** Makes a `.skill` archive whose bytes depend only on the skill. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "the skill's directory or its SKILL.md")
      .option("--output <path>", "the archive to write (default: <directory name>.skill here)")
      .addHelpText(
        "after",
        "\nExamples:\n  assay package skills/pdf\n  assay package skills/pdf --output dist/pdf.skill",
      );
  },
  async run({ args, options, terminal }) {
    const [skill] = args as [string];
    const given = resolve(terminal.cwd, skill);
    const directory = basename(given) === "SKILL.md" ? dirname(given) : given;
    const output = textOption(options["output"]) ?? `${basename(directory)}.skill`;
    const packed = await packageSkill(directory, resolve(terminal.cwd, output));
    terminal.err(renderDiagnostics(packed.notes, { decorated: terminal.decorated.err, cwd: terminal.cwd }));
    if (packed.leftOut.length > 0) terminal.err(`left out: ${packed.leftOut.join(", ")}\n`);
    terminal.out(
      `${relative(terminal.cwd, packed.path)}: ${plural(packed.files.length, "file")}, ${packed.bytes} bytes, sha256 ${packed.sha256}\n`,
    );
    return EXIT.ok;
  },
};
