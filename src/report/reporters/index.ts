import type { Reporter, ReporterOutput } from "../reporter.ts";
import { codequalityReporter } from "./codequality.ts";
import { githubReporter } from "./github.ts";
import { jsonReporter } from "./json.ts";
import { jsonlReporter } from "./jsonl.ts";
import { junitReporter } from "./junit.ts";
import { markdownReporter } from "./markdown.ts";
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
  {
    name: "jsonl",
    help: "every event as a line of JSON, then a receipt",
    create: ({ write }) => jsonlReporter(write),
  },
  {
    name: "markdown",
    help: "a table and what failed, for job summaries and comments",
    create: ({ write }) => markdownReporter(write),
  },
  {
    name: "github",
    help: "annotations at the lines of the eval files, in GitHub Actions",
    create: (output) => githubReporter(output),
  },
  { name: "junit", help: "JUnit XML for CI systems", create: ({ write }) => junitReporter(write) },
  {
    name: "codequality",
    help: "GitLab's Code Quality report: problems at the lines of the eval files",
    create: (output) => codequalityReporter(output),
  },
];
