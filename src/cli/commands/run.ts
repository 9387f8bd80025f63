import { evaluate, EVALUATE_OPTIONS } from "../../operations/evaluate.ts";
import type { CliCommand } from "../command.ts";
import { exitCodeOf } from "../exit-code.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { defineReporters, machineWithReports, reportersOf } from "../reporters.ts";
import { configOption, targetsArgument } from "../shared-options.ts";

/** The main job: load, plan, run, grade, report. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, EVALUATE_OPTIONS, { help: PARTS_HELP });
    definition.addOption(configOption());
    defineReporters(definition);
    definition.addHelpText(
      "after",
      "\nExamples:\n  assay run skills/pdf\n  assay run skills/pdf --harness codex --runs 3\n  assay run . --changed main --json",
    );
  },
  async run(call) {
    const { args, terminal } = call;
    const [targets] = args as [string[]];
    const machine = await machineWithReports(call);
    const door = { machine, config: await call.config(), reporters: await reportersOf(call) };
    return await interruptible(terminal, async (signal) =>
      exitCodeOf(await evaluate({ targets, ...call.given(EVALUATE_OPTIONS) }, { ...door, signal }), terminal),
    );
  },
};
