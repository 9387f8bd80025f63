import { type Controls, controls, CONTROLS_OPTIONS } from "../../operations/controls.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { fitted } from "../render/fitted.ts";
import { controlsText } from "../render/controls.ts";
import { configOption, targetsArgument } from "../shared-options.ts";

/** Holds the checks to two runs whose result is known: one that does nothing, and the reference answer. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, CONTROLS_OPTIONS, {
      help: { ...PARTS_HELP, workspace: "keep the runs here (default: discard them)" },
    });
    definition
      .addOption(configOption())
      .option("--json", "print the findings as JSON")
      .addHelpText(
        "after",
        `
An empty run must fail, and a reference answer (the "reference" of a case's "assay" key) must pass. Checks that forbid something
always pass on an empty run; they are listed as guards, and a case needs more than guards.

Exit codes: 0 all is well, 1 a check cannot fail or a reference does not pass, 3 a control could not be run, or a check could not be decided.

Examples:
  assay controls skills/pdf
  assay controls skills/pdf --grading-model claude-sonnet-4-6`,
      );
  },
  async run(call) {
    const { args, options, terminal, machine } = call;
    const [targets] = args as [string[]];
    const config = await call.config();
    return interruptible(terminal, async (signal) => {
      const given = { targets, ...call.given(CONTROLS_OPTIONS) };
      const found = await controls(given, { machine, config, signal });
      terminal.out(
        options["json"] === true
          ? `${JSON.stringify(found, null, 2)}\n`
          : fitted(controlsText(found), terminal, "out"),
      );
      return exitCode(found);
    });
  },
};

function exitCode(found: Controls): number {
  const { cannotFail, passOnNothing, failOnReference, notRun, undecided, checks } = found;
  if (cannotFail.length + passOnNothing.length + failOnReference.length > 0) return EXIT.gateMissed;
  return notRun.length + undecided.length > 0 || checks === 0 ? EXIT.unfinished : EXIT.ok;
}
