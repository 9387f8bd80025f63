import { printable } from "../operations/text.ts";
import type { Evaluation } from "../operations/evaluate.ts";
import { EXIT } from "./exit.ts";
import { printFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** The worst of all iterations; an interrupt outweighs everything. Iterations that failed are said here, each with its skill. */
export function exitCodeOf({ reports, ended, stoppedBy, failures }: Evaluation, terminal: Terminal): number {
  const failed = failures.map(({ suite, harness, model, error }) => {
    const where = [harness, model].filter((word) => word !== null).join(", ");
    terminal.err(`${printable(suite)} (${where}) could not be evaluated:\n`);
    return printFailure(error, terminal);
  });
  if (stoppedBy === "failure") return EXIT.gateMissed;
  if (ended === "interrupted") return EXIT.interrupted;
  const verdicts = new Set(reports.map((report) => report.summary.verdict));
  if (failed.length > 0) return Math.max(...failed);
  if (verdicts.has("unfinished")) return EXIT.unfinished;
  return verdicts.has("failed") ? EXIT.gateMissed : EXIT.ok;
}
