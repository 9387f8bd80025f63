import { shownPath } from "../../operations/text.ts";
import { demo, DEMO_OPTIONS, type DemoEvent } from "../../operations/demo.ts";
import { BUILT_IN_REPORTERS, type Reporter } from "../../operations/reporters.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { lookOf } from "../reporters.ts";
import { DEMO_INTRODUCTION, demoOutlook, exampleHeading, printExampleFailure } from "../render/demo.ts";
import type { Terminal } from "../terminal.ts";

/** The main job on one example skill per format: everything is real but the model, which plays a script. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("[example...]", DEMO_OPTIONS.examples.help)
      .addHelpText(
        "after",
        "\nNeeds no key, no agent and no network. The skills and their evals are in examples/.\n\nExamples:\n  assay demo\n  assay demo csv-report",
      );
  },
  async run({ args, terminal, machine }) {
    const [examples] = args as [string[]];
    return await interruptible(
      terminal,
      async (signal) => {
        terminal.out(DEMO_INTRODUCTION);
        const door = { machine, signal, reporters: resultsOnly(terminal), on: showing(terminal) };
        const { workspace, outcomes, ended } = await demo({ examples }, door);
        if (ended === "interrupted") return EXIT.interrupted;
        terminal.out(demoOutlook(workspace));
        return outcomes.every(({ status }) => status === "worked") ? EXIT.ok : EXIT.unfinished;
      },
      "interrupted: stopping the demo (press Ctrl-C again to quit now)",
    );
  },
};

function showing(terminal: Terminal): (event: DemoEvent) => void {
  return (event) => {
    if (event.kind === "example-started") terminal.out(exampleHeading(event.example));
    else if (event.outcome.status === "failed") printExampleFailure(event.outcome, terminal);
  };
}

/** What came of each example; the progress of them all would bury it. */
function resultsOnly(terminal: Terminal): readonly Reporter[] {
  const { out, cwd } = terminal;
  const show = (path: string) => shownPath(path, cwd);
  return BUILT_IN_REPORTERS.filter(({ name }) => name === "terminal").map(({ create }) =>
    create({ write: out, progress: () => {}, show, look: lookOf(terminal) }),
  );
}
