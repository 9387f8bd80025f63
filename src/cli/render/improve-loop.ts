import type { LoopEnd, LoopOutcome, News } from "../../improve/loop/improve.ts";
import { bestVersion, overfitting, type Round } from "../../improve/loop/record.ts";
import type { CaseSplit } from "../../improve/loop/split-cases.ts";
import { printable } from "../../lib/printable.ts";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import { percent } from "../../report/text.ts";
import { plural } from "../../lib/plural.ts";
import { table } from "./table.ts";
import type { Terminal } from "../terminal.ts";
import { diffPath, type Place } from "../../operations/improve/place.ts";

export function newsText(news: News): string {
  switch (news.kind) {
    case "measuring":
      return `v${news.version}: running the cases\n`;
    case "drafted": {
      const { version, parent, edits, summary } = news.draft;
      const dropped = news.dropped === 0 ? "" : `, ${news.dropped} dropped`;
      return `v${version} from v${parent}: ${plural(edits.length, "edit")}${dropped}: ${printable(summary)}\n`;
    }
    case "round": {
      const { version, result, adopted } = news.round;
      const but = news.regressed ? ", but held-out cases do worse" : "";
      return `v${version}: ${result}${result === "won" ? but : ""}${adopted && version > 0 ? ", adopted" : ""}\n`;
    }
  }
}

interface ReportCall {
  readonly place: Place;
  /** The text of the best version. */
  readonly after: string;
  readonly split: CaseSplit;
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** The rounds and what they are worth go to stderr, the diff to the best version to stdout. */
export function loopReport(outcome: LoopOutcome, { place, after, split, json, terminal }: ReportCall): void {
  const { rounds, end } = outcome;
  const best = bestVersion(rounds);
  const diff = unifiedDiff({ path: diffPath(place, place.skill.file), before: place.skillText, after });
  if (rounds.length > 0)
    terminal.err(
      table(["version", "from", "result", "passing", "train", "held out"], rounds.map(rowOf(best))),
    );
  terminal.err(`ended: ${printable(endText(end))}\n`);
  const [baseline] = rounds;
  const chosen = rounds[best];
  const warning =
    baseline === undefined || chosen === undefined ? null : overfitting(chosen.score, baseline.score);
  if (warning !== null) terminal.err(`WARNING: ${warning}\n`);
  if (split.heldOut.length === 0)
    terminal.err("note: there is only one case, so none is held out, and a win may hold for it alone\n");
  if (json) {
    const report = {
      current_best: `v${best}`,
      ended: endText(end),
      history: place.folder.history,
      warning,
      diff,
    };
    terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  } else terminal.out(diff);
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
      return "nothing fails that could be learnt from; the held-out cases that fail are not shown to the model";
    case "rounds":
      return "all rounds are used";
    case "no-gain":
      return "the last two rounds gained nothing";
    case "time":
      return "the time is up";
    case "no-edits":
      return `no edits were proposed that could be made: ${end.message}`;
    case "stopped":
      return `${end.message}; the same command goes on later`;
  }
}
