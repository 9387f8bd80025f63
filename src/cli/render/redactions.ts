import { plural, printable } from "../../operations/text.ts";
import type { StaticReport } from "../../viewer/report.ts";

/** Everything that was taken out of a report, with its place, and what is not in it. */
export function redactionText({ redactions, omitted }: Pick<StaticReport, "redactions" | "omitted">): string {
  const taken = redactions.map(({ kind, place, count }) => `  ${plural(count, kind)} in ${place}`);
  const left = Object.entries(omitted).map(([what, count]) => `  ${count} ${what}`);
  const lines = [
    taken.length === 0 ? "nothing had to be taken out" : "taken out:",
    ...taken,
    ...(left.length === 0 ? [] : ["not in it:", ...left]),
  ];
  return printable(`${lines.join("\n")}\n`);
}
