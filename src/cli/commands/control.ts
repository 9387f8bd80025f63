import { Argument } from "commander";
import { control, CONTROL_ACTIONS, CONTROL_OPTIONS, type ControlOptions } from "../../operations/control.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { runStatusText } from "../render/run-status.ts";
import { configOption } from "../shared-options.ts";

/** Steers what another terminal runs. */
export const command: CliCommand = {
  define(definition) {
    definition
      .addArgument(new Argument("<action>", "what to do").choices(CONTROL_ACTIONS))
      .argument("[run]", CONTROL_OPTIONS.run.help);
    defineOptions(definition, CONTROL_OPTIONS);
    definition.addOption(configOption()).addHelpText(
      "after",
      `
  pause    start no new trials; running ones finish
  resume   start trials again
  stop     start no new trials and end with a report; assay run --resume continues later
  limit    change how much may be spent, or how many trials run at once

Examples:
  assay control pause                      # needs a run in another terminal
  assay control limit --max-cost 5 -j 2    # needs a run in another terminal
  assay control stop pdf --now             # needs a run in another terminal`,
    );
  },
  async run({ args, given, config, terminal, machine }) {
    const [action, run] = args as [ControlOptions["action"], string | undefined];
    const asked = { ...given(CONTROL_OPTIONS), action, run };
    const now = await control(asked, { machine, config: await config() });
    terminal.out(runStatusText(now, machine.now()));
    return EXIT.ok;
  },
};
