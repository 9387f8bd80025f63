import { shownPath, thousands } from "../../operations/text.ts";
import { REPORT_OPTIONS } from "../../operations/view.ts";
import { report } from "../../viewer/report.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { redactionText } from "../render/redactions.ts";

/** The results as one file to share. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[results]", REPORT_OPTIONS.folder.help);
    defineOptions(definition, REPORT_OPTIONS, { mandatory: ["out"] });
    definition
      .option("--dry-run", "only list what would be taken out and left out")
      .addHelpText(
        "after",
        "\nWithout an iteration, the newest of each skill. Secrets, paths of your home and your user name are taken out, and listed first.\n\nExamples:\n  assay report --out report.html\n  assay report .assay/pdf/iteration-3 --out pdf.html\n  assay report --out site/ --dry-run",
      );
  },
  async run({ args, given, options, terminal, machine, config }) {
    const [folder] = args as [string | undefined];
    const made = await report({ ...given(REPORT_OPTIONS), folder }, { machine, config: await config() });
    terminal.err(redactionText(made));
    if (options["dryRun"] === true) return EXIT.ok;
    await made.write();
    terminal.out(`${shownPath(made.path, terminal.cwd)}\n`);
    terminal.err(`wrote ${thousands(made.bytes)} bytes\n`);
    return EXIT.ok;
  },
};
