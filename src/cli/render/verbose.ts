import type { Reporter } from "../../operations/reporters.ts";
import { printable, verdictText } from "../../operations/text.ts";
import type { Terminal } from "../terminal.ts";

/** Longer inputs of tools are cut: the transcript has them whole. */
const MOST_CHARS = 160;

/** Says each tool call as it happens, and each verdict with its evidence, passes included. */
export function verboseReporter({ err }: Pick<Terminal, "err">): Reporter {
  const say = (text: string): void => err(`${printable(oneLine(text))}\n`);
  return {
    name: "verbose",
    event(event, { suite }) {
      switch (event.kind) {
        case "trial-started":
          say(`  ${suite} ${event.trial.id}: attempt ${event.attempt}`);
          return;
        case "trial-progress":
          if (event.event.kind === "tool-call")
            say(`  ${suite} ${event.trialId}: ${event.event.tool} ${JSON.stringify(event.event.input)}`);
          return;
        case "verdicts-recorded":
          for (const verdict of event.grading.verdicts)
            say(`  ${suite} ${event.trial.id}: ${verdict.status}: ${verdict.text}: ${verdictText(verdict)}`);
          return;
        default:
      }
    },
  };
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return `  ${line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1)}…` : line}`;
}
