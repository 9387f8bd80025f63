import { EXPORT_FORMATS, EXPORT_OPTIONS, exportIteration } from "../../operations/export.ts";
import { plural, printable, shownPath } from "../../operations/text.ts";
import { UserError } from "../../domain/user-error.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";

/** Writes an iteration in another program's format. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[iteration]", EXPORT_OPTIONS.iteration.help);
    defineOptions(definition, EXPORT_OPTIONS);
    definition.option("--json", "print JSON").addHelpText(
      "after",
      `
Formats:
${EXPORT_FORMATS.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join("\n")}

Secrets are masked. Exit codes: 0 written or sent, 2 bad input, nothing to export, or a collector that does not take it.

Examples:
  assay export pdf --format atif --out trajectories
  assay export pdf@3 --format plugin-eval --out aggregate-result.json
  assay export --format otlp --endpoint http://127.0.0.1:4318    # needs a collector`,
    );
  },
  async run(call) {
    const [iteration] = call.args as [string | undefined];
    const { format, ...given } = call.given(EXPORT_OPTIONS);
    if (typeof format !== "string")
      throw new UserError("export/no-format", "which format?", {
        hint: `pass --format with one of ${EXPORT_FORMATS.map(({ name }) => name).join(", ")}`,
      });
    const door = { machine: call.machine, config: await call.config() };
    const exported = await exportIteration({ ...given, format, iteration }, door);
    const { suite, iteration: number, runs, files, endpoint } = exported;
    const first = files[0] === undefined ? "" : shownPath(files[0], call.terminal.cwd);
    const where = [
      ...(files.length === 1
        ? [first]
        : files.length === 0
          ? []
          : [`${files.length} files, the first ${first}`]),
      ...(endpoint === null ? [] : [endpoint]),
    ];
    call.terminal.out(
      call.options["json"] === true
        ? `${JSON.stringify(exported, null, 2)}\n`
        : printable(
            `${suite} iteration ${number}: ${plural(runs, "run")} as ${format}: ${where.join(", ")}\n`,
          ),
    );
    return EXIT.ok;
  },
};
