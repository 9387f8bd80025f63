import { points, printable } from "../../operations/text.ts";
import { dirname, join } from "node:path";
import type { Confirmation, Improvement, LoopEnd, Round } from "../../operations/improve.ts";
import type { Terminal } from "../terminal.ts";
import { roundText } from "./improve-event.ts";
import { spendingText } from "./spending.ts";
import { fitted, widthOf } from "./fitted.ts";
import { table } from "./table.ts";

/** The rounds and what came of them go to stderr, the diff to the adopted version to stdout. */
export function loopReport(
  improvement: Improvement,
  { json, terminal }: { json: boolean; terminal: Terminal },
): void {
  const { rounds, leading, best, confirmation, end, warning, split, history, change, spending } = improvement;
  if (rounds.length > 0)
    terminal.err(
      table(["version", "from", "result"], rounds.map(rowOf(best, confirmation)), widthOf(terminal, "err")),
    );
  const say = (text: string): void => terminal.err(fitted(printable(text), terminal, "err"));
  say(`ended: ${endText(end)}
`);
  if (confirmation === null && end.kind !== "stopped" && rounds.length > 1 && leading === best)
    say(`no draft did better than v${best} while they were explored, so the skill stays as it is
`);
  if (confirmation !== null) say(confirmationText(confirmation, history));
  if (warning !== null)
    say(`WARNING: ${warning}
`);
  if (split.heldOut.length === 0)
    say("note: with only one case, none is held out, so a gain may not carry over to others\n");
  terminal.err(spendingText(spending));
  const report = {
    current_best: `v${best}`,
    leading: `v${leading}`,
    confirmation,
    ended: endText(end),
    history,
    warning,
    usage: spending,
    diff: change.diff,
  };
  terminal.out(json ? `${JSON.stringify(report, null, 2)}\n` : printable(change.diff));
}

function rowOf(best: number, confirmation: Confirmation | null): (round: Round) => string[] {
  return (round) => [
    `v${round.version}${round.version === best ? " (best)" : ""}`,
    round.parent === null ? "" : `v${round.parent}`,
    confirmation?.version === round.version ? confirmedText(confirmation) : roundText(round),
  ];
}

function confirmedText({ found, adopted }: Confirmation): string {
  if (found === null) return "leads, fresh runs are not finished";
  const gain = found.lift === null ? "" : `, ${points(found.lift)} points in fresh runs`;
  return `${adopted ? "confirmed" : "not confirmed"}${gain}`;
}

/** Fresh numbers only: those of the rounds chose the version, so they flatter it. */
function confirmationText({ version, against, found, adopted }: Confirmation, history: string): string {
  if (found === null) return `fresh runs of v${version} and v${against} are not finished\n`;
  const head = `fresh runs, v${version} against v${against}: ${found.explanation}\n`;
  if (adopted && found.verdict === "better")
    return `${head}confirmed: v${version} is better than v${against}\n`;
  if (adopted) return `${head}accepted: v${version} is not worse than v${against} and costs less\n`;
  const place = join(dirname(history), `v${version}`, "skill");
  return `${head}not confirmed, so v${version} is not adopted; it is in ${place}\n`;
}

function endText(end: LoopEnd): string {
  switch (end.kind) {
    case "goal":
      return "the goal is met";
    case "nothing-fails":
      return "nothing fails that could be learned from; the held-out cases that fail are not shown to the model";
    case "rounds":
      return "all rounds are used";
    case "no-gain":
      return "the last two rounds gained nothing";
    case "confirming":
      return "enough was explored before";
    case "time":
      return "the time is up";
    case "no-edits":
      return `no edits were proposed that could be made: ${end.message}`;
    case "stopped":
      return `${end.message}; the same command continues from here`;
  }
}
