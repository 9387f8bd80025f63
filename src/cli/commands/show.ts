import { printable } from "../../operations/text.ts";
import { EXPLAIN_OPTIONS, explain } from "../../operations/explain.ts";
import { show, SHOW_OPTIONS, type ShownRun } from "../../operations/show.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { explanationText } from "../render/explanation.ts";
import { shownRunText } from "../render/shown-run.ts";
import { configOption } from "../shared-options.ts";

/** One run, and on request why it failed. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument(
        "<run>",
        "a run folder; a trial of the newest iteration, such as A1/with_skill/run-2 (A1 alone: its first run); or SKILL/A1 or SKILL@3/A1 (SKILL alone: its first run that did not pass)",
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
      .option("--all", "also the checks that passed, and the whole answer")
      .option("--json", "print the run and its verdicts as JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  assay show .assay/pdf/iteration-3/eval-1/with_skill/run-1\n  assay show A1/with_skill/run-2 --all\n  assay show pdf@3/A1\n  assay show A1 --explain\n  assay show A1 --explain --from judge --max-cost 0.5",
      );
  },
  async run(call) {
    const { options, terminal, machine } = call;
    const [run] = call.args as [string];
    const door = { machine, config: await call.config() };
    const shown = await show({ ...call.given(SHOW_OPTIONS), run }, door);
    if (options["json"] !== true)
      terminal.out(shownRunText(shown, { all: options["all"] === true, cwd: terminal.cwd }));
    if (options["explain"] === true) return explainShown(shown, call);
    if (options["json"] === true) printJson(shown, {}, call);
    return EXIT.ok;
  },
};

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
