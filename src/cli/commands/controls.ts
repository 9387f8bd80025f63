import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { controlsText } from "../render/controls.ts";
import { runControls } from "../../operations/grade/controls.ts";
import { defineSomeRunOptions } from "../../operations/grade/some-run-options.ts";
import { withGrading } from "../../operations/grade/with-grading.ts";
import { interruptible } from "../interrupt.ts";
import { defineTargets, strictOption } from "../options/targets.ts";
import { defineModelOptions } from "../options/models.ts";

const RUN_OPTIONS = ["--case", "--filter", "--concurrency", "--sandbox", "--trust", "--workspace"];

/** Holds the checks to two runs whose result is known: one that does nothing, and the reference answer. */
export const command: CliCommand = {
  define(definition) {
    defineTargets(definition);
    defineSomeRunOptions(definition, RUN_OPTIONS);
    defineModelOptions(definition);
    definition
      .addOption(strictOption())
      .option("--json", "print the findings as JSON")
      .addHelpText(
        "after",
        `
A run that does nothing must fail, and a reference answer (the "reference" of a case's "assay" key) must pass. Checks that
forbid something hold on nothing by their nature; they are listed as guards, and a case must have more than guards.

Exit codes: 0 all is well, 1 a check cannot fail or a reference does not pass, 3 a control could not be run, or a check could not be decided.

Examples:
  assay controls skills/pdf
  assay controls skills/pdf --grading-model claude-sonnet-4-6`,
      );
  },
  async run({ args, options: raw, terminal }) {
    const [targets] = args as [string[]];
    return withGrading(raw, terminal, (graders) =>
      interruptible(terminal, async (signal) => {
        const controls = await runControls({ targets, raw, graders, terminal }, signal);
        if (controls === "interrupted") return EXIT.interrupted;
        if (raw["json"] === true) terminal.out(`${JSON.stringify(controls, null, 2)}\n`);
        else terminal.out(controlsText(controls));
        const { cannotFail, passOnNothing, failOnReference, notRun, undecided } = controls;
        if (cannotFail.length + passOnNothing.length + failOnReference.length > 0) return EXIT.gateMissed;
        const isOpen = notRun.length + undecided.length > 0 || controls.checks === 0;
        return isOpen ? EXIT.unfinished : EXIT.ok;
      }),
    );
  },
};
