import { printable } from "../../lib/printable.ts";
import type { Reporter } from "../reporter.ts";

/** Rises when a key changes its meaning or goes; keys may be added to it at any time. */
const EVENTS_VERSION = 1;

/**
 * Every event as a line of JSON while it happens, for programs that follow along. The last line is a receipt: a reader that
 * has not seen it, or as many events as it counts, has not seen everything.
 */
export function jsonlReporter(write: (text: string) => void): Reporter {
  let events = 0;
  const line = (value: object): void => write(`${printable(JSON.stringify(value))}\n`);
  return {
    name: "jsonl",
    event(event, { suite, number, harness, model }) {
      events++;
      line({ kind: "event", suite, iteration: number, harness, model, event });
    },
    finish(reports, { failures, notBegun }) {
      const iterations = reports.map(({ summary, folder }) => ({
        suite: summary.suite,
        iteration: summary.iteration,
        verdict: summary.verdict,
        folder,
      }));
      line({ kind: "receipt", schema: EVENTS_VERSION, events, iterations, failures, notBegun });
    },
  };
}
