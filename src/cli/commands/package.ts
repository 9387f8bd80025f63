import { plural, printable } from "../../operations/text.ts";
import { relative } from "node:path";
import { packageSkill, PACKAGE_OPTIONS } from "../../operations/package-skill.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { diagnosticsText } from "../render/diagnostics.ts";

/** Makes a `.skill` archive whose bytes depend only on the skill. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<skill>", PACKAGE_OPTIONS.skill.help);
    defineOptions(definition, PACKAGE_OPTIONS);
    definition.addHelpText(
      "after",
      `
Tests, generated files and secrets are left out: evals/, __pycache__, node_modules, .git, .env, .DS_Store.

Examples:
  assay package skills/pdf
  assay package skills/pdf --output pdf-1.0.skill

Exit codes: 0 written, 2 lint found errors, or something cannot be packed.`,
    );
  },
  async run({ args, given, terminal, machine }) {
    const [skill] = args as [string];
    const packed = await packageSkill({ ...given(PACKAGE_OPTIONS), skill }, { machine });
    terminal.err(diagnosticsText(packed.notes, terminal, "err"));
    if (packed.leftOut.length > 0) terminal.err(`left out: ${printable(packed.leftOut.join(", "))}\n`);
    terminal.out(
      `${printable(relative(terminal.cwd, packed.path))}: ${plural(packed.files.length, "file")}, ${packed.bytes} bytes, sha256 ${packed.sha256}\n`,
    );
    return EXIT.ok;
  },
};
