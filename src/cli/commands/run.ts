import {
  evaluate,
  EVALUATE_OPTIONS,
  type EvaluateOptions,
  planEvaluation,
} from "../../operations/evaluate.ts";
import { WATCH_OPTIONS, watchFiles } from "../../operations/watch.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { exitCodeOf } from "../exit-code.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { fitted } from "../render/fitted.ts";
import { plannedJson, plannedText } from "../render/planned.ts";
import { defineReporters, reportersOf } from "../reporters.ts";
import { runDoor } from "../run-door.ts";
import { configOption, targetsArgument } from "../shared-options.ts";
import { watch } from "../watch.ts";

const WORDS = { strict: "treat notes as errors, and unsettled trigger queries as missing results" };

/** The main job: load, plan, run, grade, report. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, EVALUATE_OPTIONS, { help: { ...PARTS_HELP, ...WORDS } });
    definition
      .addOption(configOption())
      .option("--watch", "run again what a change to the skill or its evals affects, until you quit")
      .option("--dry-run", "show what would run and what it may cost; starts no agent, asks no model");
    defineReporters(definition);
    definition.addHelpText(
      "after",
      "\nExamples:\n  assay run skills/pdf\n  assay run skills/pdf --runs 3 --max-cost 2\n  assay run . --changed main --json\n  assay run skills/pdf --dry-run",
    );
  },
  async run(call) {
    const { args, terminal } = call;
    const [targets] = args as [string[]];
    if (call.options["dryRun"] === true) return await dryRun(targets, call);
    const once = async (differently: EvaluateOptions, signal: AbortSignal): Promise<number> => {
      using door = await runDoor(call);
      const given = { targets, ...call.given(EVALUATE_OPTIONS), ...differently };
      return exitCodeOf(await evaluate(given, { ...door, signal }), terminal);
    };
    if (call.options["watch"] === true) return await watched(targets, call, once);
    return await interruptible(terminal, (signal) => once({}, signal));
  },
};

async function watched(
  targets: readonly string[],
  call: CommandCall,
  once: (differently: EvaluateOptions, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { terminal, machine } = call;
  const config = await call.config();
  return await interruptible(
    terminal,
    async (signal) => {
      const files = await watchFiles({ targets, ...call.given(WATCH_OPTIONS) }, { machine, config, signal });
      return watch({ terminal, files, run: (differently) => once(differently, signal), signal });
    },
    "interrupted: no longer watching",
  );
}

async function dryRun(targets: readonly string[], call: CommandCall): Promise<number> {
  const { terminal, machine, options } = call;
  const door = { machine, config: await call.config() };
  // Nothing is reported; names and files are refused as in a run.
  await reportersOf(call);
  const planned = await planEvaluation({ targets, ...call.given(EVALUATE_OPTIONS) }, door);
  terminal.out(
    options["json"] === true ? plannedJson(planned) : fitted(plannedText(planned), terminal, "out"),
  );
  return EXIT.ok;
}
