import type { Reporter } from "../reporter.ts";

/** The summaries as one JSON document, and nothing else. */
export function jsonReporter(write: (text: string) => void): Reporter {
  return {
    name: "json",
    finish(reports) {
      const iterations = reports.map(({ summary, folder }) => ({ ...summary, folder }));
      write(`${JSON.stringify({ iterations }, null, 2)}\n`);
    },
  };
}
