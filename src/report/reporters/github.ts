import { printable } from "../../lib/printable.ts";
import { type Problem, problemsOf } from "../problems.ts";
import type { Reporter, ReporterOutput, Unreported } from "../reporter.ts";

/** GitHub shows so many of each level for a step and drops the rest without a word. */
const MOST = 10;

/** Annotations at the lines of the eval files: what failed as errors, what is missing or undecided as warnings. */
export function githubReporter({ write, show }: Pick<ReporterOutput, "write" | "show">): Reporter {
  return {
    name: "github",
    finish(reports, rest) {
      const problems = ranked([
        ...reports.map((report) =>
          problemsOf(report).map((problem) => ({
            ...problem,
            title: `${report.summary.suite} ${problem.title}`,
          })),
        ),
        unreported(rest),
      ]);
      const isError = ({ kind }: Problem): boolean => kind === "failed";
      const errors = problems.filter(isError);
      const warnings = problems.filter((problem) => !isError(problem));
      write([...lines("error", errors, show), ...lines("warning", warnings, show)].join(""));
    },
  };
}

/** Of each kind, first the first of every skill: few are shown, and one skill must not hide another. */
function ranked(groups: readonly (readonly Problem[])[]): readonly Problem[] {
  const placed = groups.flatMap((group) =>
    KINDS.flatMap((kind) =>
      group.filter((one) => one.kind === kind).map((problem, place) => ({ problem, kind, place })),
    ),
  );
  return placed
    .toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.place - b.place)
    .map(({ problem }) => problem);
}

const KINDS = ["failed", "missing", "open"] as const satisfies readonly Problem["kind"][];

function unreported({ failures, notBegun }: Unreported): readonly Problem[] {
  return [
    ...failures.map(({ suite, message }): Problem => ({ kind: "failed", title: suite, message, at: null })),
    ...notBegun.map(({ suite }): Problem => ({
      kind: "missing",
      title: suite,
      message: "it was not started",
      at: null,
    })),
  ];
}

function lines(
  level: "error" | "warning",
  problems: readonly Problem[],
  show: ReporterOutput["show"],
): readonly string[] {
  const shown = problems.length > MOST ? problems.slice(0, MOST - 1) : problems;
  const rest = problems.length - shown.length;
  return [
    ...shown.map(({ at, title, message }) => {
      const place =
        at === null ? [] : [`file=${property(show(at.file))}`, `line=${at.line}`, `col=${at.column}`];
      return `::${level} ${[...place, `title=${property(title)}`].join(",")}::${data(message.slice(0, MOST_MESSAGE))}\n`;
    }),
    ...(rest === 0 ? [] : [`::${level} title=${rest} more::assay show --failed has all of them\n`]),
  ];
}

function data(text: string): string {
  return printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text.slice(0, MOST_TITLE)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const MOST_TITLE = 200;
const MOST_MESSAGE = 2000;
