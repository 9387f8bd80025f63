import { percent, printable } from "../../operations/text.ts";
import type { Improvement, LoopEnd, Round } from "../../operations/improve.ts";
import type { Terminal } from "../terminal.ts";
import { spendingText } from "./spending.ts";
import { table } from "./table.ts";

/** The rounds and what they are worth go to stderr, the diff to the best version to stdout. */
export function loopReport(
  improvement: Improvement,
  { json, terminal }: { json: boolean; terminal: Terminal },
): void {
  const { rounds, best, end, warning, split, history, change, spending } = improvement;
  if (rounds.length > 0)
    terminal.err(
      table(["version", "from", "result", "passing", "train", "held out"], rounds.map(rowOf(best))),
    );
  terminal.err(`ended: ${printable(endText(end))}\n`);
  if (warning !== null) terminal.err(`WARNING: ${printable(warning)}\n`);
  if (split.heldOut.length === 0)
    terminal.err("note: with only one case, none is held out, so a win may not carry over to others\n");
  terminal.err(spendingText(spending));
  const report = {
    current_best: `v${best}`,
    ended: endText(end),
    history,
    warning,
    usage: spending,
    diff: change.diff,
  };
  terminal.out(json ? `${JSON.stringify(report, null, 2)}\n` : printable(change.diff));
}

function rowOf(best: number): (round: Round) => string[] {
  return ({ version, parent, result, score }) => [
    `v${version}${version === best ? " (best)" : ""}`,
    parent === null ? "" : `v${parent}`,
    result,
    ...[score.all, score.train, score.heldOut].map((rate) => (rate === null ? "-" : percent(rate))),
  ];
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
    case "time":
      return "the time is up";
    case "no-edits":
      return `no edits were proposed that could be made: ${end.message}`;
    case "stopped":
      return `${end.message}; the same command continues from here`;
  }
}
