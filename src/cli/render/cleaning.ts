import { plural, printable } from "../../operations/text.ts";
import { relative } from "node:path";
import type { Cleaning, RemovedIteration } from "../../operations/clean.ts";

export function removedText({ path, bytes, reason }: RemovedIteration, cwd: string): string {
  return `${printable(relative(cwd, path))}  ${megabytes(bytes)}  (${reason})\n`;
}

/** The last line: what went, by which rule where nobody named one, and what is left. */
export function cleaningText(cleaning: Cleaning, cwd: string): string {
  const { root, dryRun, defaultDays, removed, left, answers } = cleaning;
  const verb = dryRun ? "would remove" : "removed";
  const rule = defaultDays === null ? "" : ` older than ${defaultDays} days`;
  const size = megabytes(removed.reduce((sum, { bytes }) => sum + bytes, 0));
  const rest = `${plural(left.iterations, "iteration")}, ${megabytes(left.bytes)} in ${relative(cwd, root) || "."}`;
  const forgotten =
    answers === null
      ? ""
      : `${dryRun ? "would forget" : "forgot"} ${plural(answers.count, "answer")} of judges, ${megabytes(answers.bytes)}\n`;
  return `${forgotten}${verb} ${plural(removed.length, "iteration")}${rule}, ${size}; left: ${rest}\n`;
}

function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
