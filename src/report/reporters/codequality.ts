import { createHash } from "node:crypto";
import { printable } from "../../lib/printable.ts";
import { type Problem, problemsOf } from "../problems.ts";
import type { IterationReport, Reporter, ReporterOutput, Unreported } from "../reporter.ts";

/** GitLab's Code Quality report: what failed, is missing or open, at its line in the eval file. */
export function codequalityReporter({ write, show }: Pick<ReporterOutput, "write" | "show">): Reporter {
  return {
    name: "codequality",
    finish(reports, rest) {
      const entries = [...reports.flatMap((report) => entriesOf(report, show)), ...unreported(rest)];
      write(`${JSON.stringify(entries, null, 2)}\n`);
    },
  };
}

const SEVERITIES = { failed: "major", missing: "minor", open: "info" } as const;
const MOST_MESSAGE = 1000;

function entriesOf(report: IterationReport, show: ReporterOutput["show"]) {
  const { suite } = report.summary;
  const somewhere = report.evaluated.cases[0]?.at ?? null;
  return problemsOf(report).map((problem) => {
    const at = problem.at ?? somewhere;
    return entryOf(suite, problem, { path: at === null ? suite : show(at.file), line: at?.line ?? 1 });
  });
}

function unreported({ failures, notBegun }: Unreported) {
  const all = [...failures, ...notBegun.map((one) => ({ ...one, message: "it was not begun" }))];
  return all.map(({ suite, message }) =>
    entryOf(suite, { kind: "missing", title: suite, message, at: null }, { path: suite, line: 1 }),
  );
}

/** The fingerprint is of the place and the check, not of the words of one run: the service follows a problem by it. */
function entryOf(
  suite: string,
  { kind, title, message }: Problem,
  { path, line }: { readonly path: string; readonly line: number },
) {
  return {
    description: printable(`${suite} ${title}: ${message}`.slice(0, MOST_MESSAGE)),
    check_name: `assay/${kind}`,
    fingerprint: createHash("sha256")
      .update(JSON.stringify([suite, kind, title, path]))
      .digest("hex"),
    severity: SEVERITIES[kind],
    location: { path: printable(path), lines: { begin: line } },
  };
}
