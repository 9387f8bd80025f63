import type { Reporter, ReporterOutput } from "../reporter.ts";
import { jsonReporter } from "./json.ts";
import { junitReporter } from "./junit.ts";
import { terminalReporter } from "./terminal.ts";

export interface NamedReporter {
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  readonly create: (output: ReporterOutput) => Reporter;
}

/** Every reporter that `--reporter` knows without a configuration. */
export const reporters: readonly NamedReporter[] = [
  {
    name: "terminal",
    help: "progress lines, then what failed and why, for people",
    create: (output) => terminalReporter({ ...output, mostFailures: 25 }),
  },
  { name: "json", help: "the summaries as one JSON document", create: ({ write }) => jsonReporter(write) },
  { name: "junit", help: "JUnit XML for CI systems", create: ({ write }) => junitReporter(write) },
];
