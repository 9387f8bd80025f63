import { plural, printable } from "../../operations/text.ts";
import { EXPLAIN_OPTIONS, explain } from "../../operations/explain.ts";
import { show, SHOW_OPTIONS, showFailed, type ShownRun, showReports } from "../../operations/show.ts";
import { ALL_REPORTED, type IterationReport } from "../../operations/reporters.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { explanationText } from "../render/explanation.ts";
import { shownRunText } from "../render/shown-run.ts";
import { reprinting } from "../reporters.ts";
import { configOption } from "../shared-options.ts";

/** One run, and on request why it failed. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument(
        "[run]",
        "a run folder; a case by its id, its name or its place in the report; a trial of the newest iteration, such as 1/with_skill/run-2 (1 alone: its first run); or SKILL/1 or SKILL@3/1 (SKILL alone: its first run that did not pass). Default: the last report",
      )
      .option(
        "--explain",
        "ask why the run failed its checks: the agent in its own session, else a judge over the transcript",
      );
    defineOptions(
      definition,
      { ...SHOW_OPTIONS, ...EXPLAIN_OPTIONS },
      {
        help: { ...PARTS_HELP, timeoutSeconds: "how long the agent may take to explain (default: 300)" },
      },
    );
    definition
      .addOption(configOption())
      .option("--failed", "every run that did not pass, of the newest iteration or of the one named")
      .option("--all", "also the checks that passed, and the whole answer")
      .option("--json", "print the run and its verdicts as JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  assay show\n  assay show --failed\n  assay show .assay/pdf/iteration-3/eval-1/with_skill/run-1\n  assay show 1/with_skill/run-1 --all\n  assay show pdf@3/1\n  assay show 1 --explain    # needs a failed check\n  assay show 1 --explain --from judge --max-cost 0.5    # needs a failed check",
      );
  },
  async run(call) {
    const { options, terminal, machine } = call;
    const [run] = call.args as [string | undefined];
    const door = { machine, config: await call.config() };
    const given = { ...call.given(SHOW_OPTIONS), ...(run !== undefined && { run }) };
    if (options["failed"] === true) return printFailed(await showFailed(given, door), call);
    if (run === undefined && options["explain"] !== true) {
      await printReports(await showReports(given, door), call);
      return EXIT.ok;
    }
    const shown = await show(given, door);
    if (options["json"] !== true)
      terminal.out(shownRunText(shown, { all: options["all"] === true, terminal }));
    if (options["explain"] === true) return explainShown(shown, call);
    if (options["json"] === true) printJson(shown, {}, call);
    return EXIT.ok;
  },
};

/** The report as it was printed when the runs had ended. */
async function printReports(reports: readonly IterationReport[], call: CommandCall): Promise<void> {
  const name = call.options["json"] === true ? "json" : "terminal";
  for (const reporter of reprinting(name, call)) await reporter.finish?.(reports, ALL_REPORTED);
}

/** Many failures are often one: the first few say most. */
const MOST_FAILED = 10;

function printFailed(runs: readonly ShownRun[], { options, terminal }: CommandCall): number {
  if (options["json"] === true) {
    const all = runs.map(({ finished, grading }) => ({ ...finished, grading }));
    terminal.out(`${JSON.stringify(all, null, 2)}\n`);
    return EXIT.ok;
  }
  if (runs.length === 0) terminal.out("every run passed\n");
  const all = options["all"] === true;
  const shown = all ? runs : runs.slice(0, MOST_FAILED);
  terminal.out(shown.map((run) => shownRunText(run, { all, terminal })).join("\n"));
  const hidden = runs.length - shown.length;
  if (hidden > 0) terminal.out(`\nand ${plural(hidden, "more run")}; --all shows them\n`);
  return EXIT.ok;
}

async function explainShown(shown: ShownRun, call: CommandCall): Promise<number> {
  const { terminal, machine, options } = call;
  const config = await call.config();
  const given = { ...call.given(EXPLAIN_OPTIONS), run: shown.folder };
  return interruptible(
    terminal,
    async (signal) => {
      const answer = await explain(given, { machine, config, signal });
      if (answer.status === "nothing-failed")
        terminal.err("note: nothing to explain: no check of this run failed\n");
      if (answer.status === "unexplained") terminal.err(`error: ${printable(answer.why)}\n`);
      const explanation = answer.status === "explained" ? answer.explained : null;
      if (options["json"] === true) printJson(shown, { explanation }, call);
      else if (explanation !== null) terminal.out(explanationText(explanation));
      return answer.status === "unexplained" ? EXIT.unfinished : EXIT.ok;
    },
    "interrupted",
  );
}

function printJson({ finished, grading }: ShownRun, more: object, { terminal }: CommandCall): void {
  terminal.out(`${JSON.stringify({ ...finished, grading, ...more }, null, 2)}\n`);
}
