import { doctor, DOCTOR_OPTIONS, type Finding } from "../../operations/doctor.ts";
import { printable } from "../../operations/text.ts";
import type { CliCommand } from "../command.ts";
import { brokenAt, widthOf } from "../render/fitted.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { configOption, targetsArgument } from "../shared-options.ts";

/** Would a run work here? One line for each thing it needs, and a fix for each that fails. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, DOCTOR_OPTIONS);
    definition
      .addOption(configOption())
      .option("--json", "print as JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  assay doctor\n  assay doctor skills/pdf --harness builtin\n  assay doctor --json",
      );
  },
  async run(call) {
    const { args, options, terminal, machine } = call;
    const [targets] = args as [string[]];
    const door = { machine, config: await call.config() };
    const examination = await doctor({ targets, ...call.given(DOCTOR_OPTIONS) }, door);
    if (options["json"] === true) terminal.out(`${JSON.stringify(examination, null, 2)}\n`);
    else
      for (const finding of examination.findings)
        terminal.out(brokenAt(printable(lineOf(finding)), widthOf(terminal, "out"), MESSAGE_AT));
    return examination.verdict === "ready" ? EXIT.ok : EXIT.wrongInput;
  },
};

const MARKS = { ok: "ok", note: "note", failed: "FAILED", skipped: "-" } as const;

/** Where messages begin. */
const MESSAGE_AT = 16;

function lineOf({ subject, status, message, fix }: Finding): string {
  const line = `${subject.padEnd(8)} ${MARKS[status].padEnd(6)} ${message}\n`;
  return fix === null ? line : `${line}${" ".repeat(MESSAGE_AT)}fix: ${fix}\n`;
}
