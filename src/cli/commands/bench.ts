import { bench, BENCH_OPTIONS, DEFAULT_RUNS } from "../../operations/bench.ts";
import type { CliCommand } from "../command.ts";
import { exitCodeOf } from "../exit-code.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { matrixText } from "../render/matrix.ts";
import { defineReporters, isForPeople, lookOf } from "../reporters.ts";
import { runDoor } from "../run-door.ts";
import { configOption, targetsArgument } from "../shared-options.ts";

/** Does the skill help, and how sure are we: the same cases with it and without, or in two versions. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, BENCH_OPTIONS, { help: { ...PARTS_HELP, ...WORDS }, hidden: ABOUT_TRIGGERS });
    definition.addOption(configOption());
    defineReporters(definition);
    definition.addHelpText("after", HELP);
  },
  async run(call) {
    const { args, terminal } = call;
    const [targets] = args as [string[]];
    using door = await runDoor(call);
    return await interruptible(terminal, async (signal) => {
      const benchmarks = await bench({ targets, ...call.given(BENCH_OPTIONS) }, { ...door, signal });
      if (await isForPeople(call)) terminal.out(matrixText(benchmarks.matrix, lookOf(terminal).columns));
      return exitCodeOf(benchmarks, terminal);
    });
  },
};

/** What a benchmark means by the run's words; those about trigger queries mean nothing here. */
const WORDS = {
  runs: `runs per case and side, with and without the skill (default: the case's own, or ${DEFAULT_RUNS}; with --adaptive at most this many)`,
  adaptive: "add runs while the verdict is open, with a stopping rule that keeps the error rate",
  allowMissing: "how many left-out trials and unscored checks on both sides to tolerate before exit 3",
};

const ABOUT_TRIGGERS = ["mode", "triggerThreshold", "probe", "rivals", "maxRuns"];

const HELP = `
Runs every task case in two arms, interleaved, and says whether they differ on these cases and on other cases like them, with
intervals, and what it would take to see more. Exit codes: 1 only when the skill makes things worse, or a gate that you
declared is missed (--min-pass-rate, thresholds of the eval file, the last known good); 3 when runs had to be left out.

Examples:
  assay bench skills/pdf
  assay bench skills/pdf --against main --reliable
  assay bench skills/pdf --harness claude-code,codex      # needs both agents
  assay bench skills/pdf --aa`;
