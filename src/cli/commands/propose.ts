import { propose, PROPOSE_OPTIONS } from "../../operations/propose.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { printFailure } from "../failure.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { proposedEvalsReport, proposeEventText } from "../render/proposed-evals.ts";

/** Drafts evals of a skill. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<skill>", "the SKILL.md, skill directory or command file to draft evals for");
    defineOptions(definition, PROPOSE_OPTIONS, {
      help: { ...PARTS_HELP, workspace: "where results are (default: .assay of the project you are in)" },
    });
    definition.addHelpText(
      "after",
      `
What is proposed is read by the loader, and everything it says against it is fed back once. Checks of code that hold although
nothing is done are dropped. Existing files are never overwritten; that is checked before a call is paid.

Examples:
  assay propose skills/pdf
  assay propose skills/pdf --to clauditor
  assay propose skills/pdf --from .assay/pdf/iteration-3/eval-1/with_skill/run-1

Exit codes: 0 written, 2 wrong input, 3 no answer that could be used.`,
    );
  },
  async run(call) {
    const { terminal, machine } = call;
    const [skill] = call.args as [string];
    const door = {
      machine,
      config: await call.config(),
      on: (event: Parameters<typeof proposeEventText>[0]) => terminal.err(proposeEventText(event)),
    };
    return interruptible(
      terminal,
      async (signal) => {
        const proposed = await propose({ skill, ...call.given(PROPOSE_OPTIONS) }, { ...door, signal });
        proposedEvalsReport(proposed, terminal);
        if (proposed.status !== "proposed") return EXIT.unfinished;
        return proposed.refusal === null ? EXIT.ok : printFailure(proposed.refusal, terminal);
      },
      "interrupted: nothing was written (press Ctrl-C again to quit now)",
    );
  },
};
