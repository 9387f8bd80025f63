import { printable } from "../../lib/printable.ts";
import type { Reporter } from "../reporter.ts";

/** The summaries as one JSON document, and nothing else. */
export function jsonReporter(write: (text: string) => void): Reporter {
  return {
    name: "json",
    finish(reports, { failures, notBegun }) {
      const iterations = reports.map(({ summary, folder }) => ({ ...summary, folder }));
      // Inside a JSON string, what makes a character inert is just another spelling of it.
      const missing = { ...(failures.length > 0 && { failures }), ...(notBegun.length > 0 && { notBegun }) };
      write(`${printable(JSON.stringify({ iterations, ...missing }, null, 2))}\n`);
    },
  };
}
