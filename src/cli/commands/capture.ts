import { outcomeText, printable } from "../../operations/text.ts";
import { countsAs } from "../../domain/run.ts";
import { capture, CAPTURE_OPTIONS } from "../../operations/capture.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { configOption } from "../shared-options.ts";

/** Runs a skill once, by the same machinery as every trial, and keeps what it put out. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "SKILL.md, skill directory or command file")
      .argument("[args...]", "what to call the skill with, after --");
    defineOptions(definition, CAPTURE_OPTIONS, {
      help: {
        ...PARTS_HELP,
        maxCostUsd: "stop before the agent costs more",
        maxTokens: "stop before the agent uses more tokens",
      },
    });
    definition.addOption(configOption()).addHelpText(
      "after",
      `
Exit codes: 0 kept, 1 the agent did not finish its work, 2 wrong input, 3 the run could not be made.

Examples:
  assay capture skills/find-venues -- "Cupertino, CA" --count 5
  assay grade --output .assay/captures/find-venues.txt --skill skills/find-venues`,
    );
  },
  async run(call) {
    const { terminal, machine } = call;
    const [skill, args] = call.args as [string, string[]];
    const config = await call.config();
    return interruptible(
      terminal,
      async (signal) => {
        const given = { ...call.given(CAPTURE_OPTIONS), skill, args };
        const captured = await capture(given, { machine, config, signal });
        if (captured.status === "kept") {
          terminal.out(`${printable(captured.output)}\n`);
          return EXIT.ok;
        }
        terminal.err(`nothing was kept: ${printable(outcomeText(captured.outcome))}\n`);
        return countsAs(captured.outcome) === "left-out" ? EXIT.unfinished : EXIT.gateMissed;
      },
      "interrupted: nothing is kept (press Ctrl-C again to quit now)",
    );
  },
};
