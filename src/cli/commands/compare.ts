import { plural, printable } from "../../operations/text.ts";
import { Option } from "commander";
import {
  compare,
  COMPARE_OPTIONS,
  type CompareDoor,
  type CompareEvent,
  type Comparison,
} from "../../operations/compare.ts";
import { CASSETTES, COMPARING, COMPARING_JUDGES, RUNNING_VERSIONS } from "../../operations/options.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { fitted } from "../render/fitted.ts";
import { comparedJson, comparedText } from "../render/comparison.ts";
import { progressReporters } from "../reporters.ts";
import { configOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";

/** Is the second better than the first: check by check, and to judges who cannot tell the versions. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<first>", COMPARING.first.help).argument("<second>", COMPARING.second.help);
    defineOptions(definition, COMPARING);
    definition
      .addOption(configOption())
      .option("--json", "print only the comparison, as JSON")
      .addOption(new Option("--reporter <names>").hideHelp());
    definition.optionsGroup("Running versions:");
    defineOptions(definition, RUNNING_VERSIONS, { help: PARTS_HELP, hidden: MEANINGLESS, byTask: false });
    definition.optionsGroup("Judges and limits:");
    defineOptions(definition, COMPARING_JUDGES, { help: PARTS_HELP, hidden: MEANINGLESS });
    definition.optionsGroup("Recordings:");
    defineOptions(definition, CASSETTES);
    definition.addHelpText("after", HELP);
  },
  async run(call) {
    const { args, options, terminal } = call;
    const [first, second] = args as [string, string];
    const door: CompareDoor = {
      machine: call.machine,
      config: await call.config(),
      reporters: progressReporters(terminal),
      on: (event) => printProgress(event, terminal),
      ...(terminal.interactive && { ask: (text) => terminal.ask(printable(`\n${text}`)) }),
    };
    const given = { first, second, ...call.given(COMPARE_OPTIONS) };
    return await interruptible(
      terminal,
      async (signal) => {
        const comparison = await compare(given, { ...door, signal });
        return print(comparison, { terminal, json: options["json"] === true });
      },
      "interrupted: finished runs and answers are kept; repeat the command to continue, for versions with --resume (press Ctrl-C again to quit now)",
    );
  },
};

/** Taken, but of no use here. */
const MEANINGLESS = [
  "mode",
  "triggerThreshold",
  "probe",
  "rivals",
  "maxRuns",
  "adaptive",
  "shard",
  "changed",
  "grade",
  "minPassRate",
  "allowMissing",
  "judgeRuns",
];

function printProgress(event: CompareEvent, terminal: Terminal): void {
  if (event.kind !== "judging-started") return;
  const { pairs, questions } = event;
  terminal.err(`comparing ${plural(pairs, "pair")}: at most ${questions} questions to the judge\n`);
}

/** Answers the exit code. */
function print(comparison: Comparison, { terminal, json }: { terminal: Terminal; json: boolean }): number {
  switch (comparison.status) {
    case "interrupted":
      if (comparison.during === "runs")
        terminal.err("nothing was compared: the versions were not run to the end; continue with --resume\n");
      return EXIT.interrupted;
    case "nothing-counts":
      terminal.err("nothing was compared: no case has runs on both sides that count\n");
      return EXIT.unfinished;
    case "compared":
      terminal.out(
        json
          ? `${JSON.stringify(comparedJson(comparison), null, 2)}\n`
          : fitted(comparedText(comparison, terminal), terminal, "out"),
      );
      return { passed: EXIT.ok, failed: EXIT.gateMissed, unfinished: EXIT.unfinished }[comparison.verdict];
  }
}

const HELP = `
Versions are run first, side by side, on the skill's current cases.
Exit codes: 1 when checks got worse beyond chance or the judges prefer the first beyond chance; 3 when a judgement or a run is missing.

Examples:
  assay compare pdf@3 pdf@4                       # two iterations: checks that changed, then blind judges
  assay compare 3 4 --flips                       # only the checks; free
  assay compare main skills/pdf                   # the skill on main against the skill as it is now
  assay compare v1.0 HEAD --skill skills/pdf      # two git refs
  assay compare old.txt new.txt --prompt "Summarize the report"
  assay compare 3 4 --human                       # needs a terminal`;
