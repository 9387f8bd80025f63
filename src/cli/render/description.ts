import { type Attempt, passedOf } from "../../improve/description/attempt.ts";
import { exitText, isImproved, score, scored } from "../../improve/description/loop-file.ts";
import type { FreshTest, Progress } from "../../improve/description/optimise.ts";
import { printable } from "../../lib/printable.ts";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import { rateText, usageText } from "../../report/text.ts";
import { rateOf } from "../../stats/rate.ts";
import { table } from "./table.ts";
import type { Terminal } from "../terminal.ts";
import { diffPath, type Place } from "../../operations/improve/place.ts";

interface ReportCall {
  readonly place: Place;
  /** SKILL.md with the chosen description. */
  readonly after: string;
  readonly rounds: number;
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** What was tried and what it is worth goes to stderr, the diff to stdout. */
export function descriptionReport(
  progress: Progress,
  { place, after, rounds, json, terminal }: ReportCall,
): void {
  const { attempts, exit, best, fresh, usage } = progress;
  const rows = attempts.map((attempt, index) => rowOf(attempt, index, attempt === best));
  terminal.err(table(["description", "train", "validation", "characters"], rows));
  if (exit !== null)
    terminal.err(`ended: ${printable(exitText(exit, { tried: attempts.length, rounds }))}\n`);
  if (fresh !== null) terminal.err(freshText(fresh));
  terminal.err(`proposals: ${usageText(usage)}\n`);
  if (json) return;
  const path = diffPath(place, place.skill.file);
  terminal.out(unifiedDiff({ path, before: place.skillText, after }));
}

function rowOf(
  { description, train, validation }: Attempt,
  index: number,
  chosen: boolean,
): (string | number)[] {
  const name = index === 0 ? "original" : String(index + 1);
  return [
    chosen ? `${name} (chosen)` : name,
    score(train),
    score(validation),
    Array.from(description).length,
  ];
}

function freshText(fresh: FreshTest): string {
  const rate = (queries: FreshTest["best"]) => rateText(rateOf(passedOf(queries), scored(queries)));
  const before = `fresh test, original: ${rate(fresh.original)}\n`;
  if (fresh.comparison === null)
    return `${before}no other description did better in validation; nothing changes\n`;
  const verdict = isImproved(fresh)
    ? "it improved beyond noise"
    : "no improvement beyond noise was shown; the choice may be luck";
  return `${before}fresh test, chosen:   ${rate(fresh.best)}\n${verdict}: ${fresh.comparison.explanation}\n`;
}
