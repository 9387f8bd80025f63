import { status, STATUS_OPTIONS } from "../../operations/control.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { runStatusText } from "../render/run-status.ts";
import { configOption } from "../shared-options.ts";

/** What is running now, in other terminals. */
export const command: CliCommand = {
  define(definition) {
    defineOptions(definition, STATUS_OPTIONS);
    definition
      .addOption(configOption())
      .option("--json", "print as JSON")
      .addHelpText("after", "\nExamples:\n  assay status\n  assay status --json");
  },
  async run({ given, options, config, terminal, machine }) {
    const running = await status(given(STATUS_OPTIONS), { machine, config: await config() });
    if (options["json"] === true) terminal.out(`${JSON.stringify(running, null, 2)}\n`);
    else if (running.length === 0) terminal.out("Nothing is running in this project.\n");
    else terminal.out(running.map((one) => runStatusText(one, machine.now())).join("\n"));
    return EXIT.ok;
  },
};
