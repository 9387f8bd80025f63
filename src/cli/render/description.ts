import { printable, rateText } from "../../operations/text.ts";
import type { DescriptionFound, FreshRates, TriedDescription } from "../../operations/improve-description.ts";
import type { Terminal } from "../terminal.ts";
import { spendingText } from "./spending.ts";
import { widthOf } from "./fitted.ts";
import { table } from "./table.ts";

/** What was tried and what it is worth goes to stderr, the diff or the file to stdout. */
export function descriptionReport(
  { tried, exitReason, fresh, spending, file, change }: DescriptionFound,
  { json, terminal }: { json: boolean; terminal: Terminal },
): void {
  if (json) terminal.out(`${JSON.stringify(file, null, 2)}\n`);
  terminal.err(
    table(["description", "train", "validation", "characters"], tried.map(rowOf), widthOf(terminal, "err")),
  );
  terminal.err(`ended: ${printable(exitReason)}\n`);
  if (fresh !== null) terminal.err(freshText(fresh));
  terminal.err(spendingText(spending));
  if (!json) terminal.out(printable(change.diff));
}

function rowOf(
  { description, train, validation, isChosen }: TriedDescription,
  index: number,
): (string | number)[] {
  const name = index === 0 ? "original" : String(index + 1);
  return [
    isChosen ? `${name} (chosen)` : name,
    score(train),
    score(validation),
    Array.from(description).length,
  ];
}

function score({ passed, total }: TriedDescription["train"]): string {
  return `${passed}/${total}`;
}

function freshText({ original, chosen }: FreshRates): string {
  const before = `fresh test, original: ${rateText(original)}\n`;
  if (chosen === null) return `${before}no other description did better in validation; nothing changes\n`;
  const verdict = chosen.isImproved ? "confirmed better" : "not confirmed; the choice may be luck";
  return `${before}fresh test, chosen:   ${rateText(chosen.rate)}\n${verdict}: ${printable(chosen.explanation)}\n`;
}
