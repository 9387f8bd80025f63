import { printable } from "../../lib/printable.ts";
import type { Reporter } from "../reporter.ts";
import { REPORT_VERSION } from "../report-schema.ts";

/** The summaries as one JSON document, and nothing else. */
export function jsonReporter(write: (text: string) => void): Reporter {
  return {
    name: "json",
    finish(reports, { failures, notBegun }) {
      const iterations = reports.map(({ summary, folder }) => ({ ...summary, folder }));
      const document = { schema: REPORT_VERSION, iterations, failures, notBegun };
      // Inside a JSON string, what makes a character inert is just another spelling of it.
      write(`${printable(JSON.stringify(document, null, 2))}\n`);
    },
  };
}
