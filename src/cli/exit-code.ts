import type { Evaluation } from "../pipeline.ts";
import { EXIT } from "./exit.ts";

/** The worst of all iterations; an interrupt outweighs everything. */
export function exitCodeOf({ reports, ended }: Evaluation): number {
  if (ended === "interrupted") return EXIT.interrupted;
  const verdicts = new Set(reports.map((report) => report.summary.verdict));
  if (ended !== "complete" || verdicts.has("unfinished")) return EXIT.unfinished;
  return verdicts.has("failed") ? EXIT.gateMissed : EXIT.ok;
}
