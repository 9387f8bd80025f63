import { pageText, PLAIN, type Look } from "../page.ts";
import { ProgressLines } from "../progress-lines.ts";
import type { Reporter } from "../reporter.ts";
import { resultText } from "../result-text.ts";
import { totalText } from "../total-text.ts";

export interface TerminalOptions {
  /** Progress lines. */
  readonly progress: (text: string) => void;
  /** The result. */
  readonly write: (text: string) => void;
  /** How a path is shown. */
  readonly show: (path: string) => string;
  /** How many failing checks are shown in full. */
  readonly mostFailures: number;
  /** Absent: plain lines. */
  readonly look?: Look;
  /** What the user typed; absent: no next step is named. */
  readonly command?: string;
}

/** A line for each trial that ends, then a table, what failed and why, the verdict, the numbers and what to do next. */
export function terminalReporter(options: TerminalOptions): Reporter {
  const look = options.look ?? PLAIN;
  const progress = new ProgressLines(options.progress, look);
  return {
    name: "terminal",
    event: (event, iteration) => progress.hear(event, iteration),
    finish: (reports, rest) => {
      const all = reports.length + rest.failures.length + rest.notBegun.length;
      const { show, command, mostFailures } = options;
      for (const report of reports)
        options.write(resultText(report, { look, show, command, mostFailures, isOneOfMany: all > 1 }));
      if (all > 1 && reports.length > 0) options.write(pageText(["", totalText(reports, rest)], look));
    },
  };
}
