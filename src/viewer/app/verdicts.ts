import type { GridArm, GridCase, GridRun, IterationLift, IterationLine } from "../../domain/pages.ts";
import type { BenchDecision, BenchmarkVerdict } from "../../domain/benchmark.ts";
import type { SummaryVerdict } from "../../domain/summary.ts";
import type { MarkKind } from "./parts/mark.tsx";

const BY_ACTION: Readonly<Record<BenchDecision["action"], MarkKind>> = {
  ship: "passed",
  "go on": "passed",
  "do not ship": "failed",
  "fix first": "failed",
  "add runs": "unsettled",
  "add cases": "unsettled",
};

const BY_BENCHMARK: Readonly<Record<BenchmarkVerdict, MarkKind>> = {
  better: "passed",
  worse: "failed",
  "no difference seen": "unsettled",
  underpowered: "unsettled",
  invalid: "left-out",
};

const BY_SUMMARY: Readonly<Record<SummaryVerdict, MarkKind>> = {
  passed: "passed",
  failed: "failed",
  unfinished: "unsettled",
  ungraded: "left-out",
};

export function markOfIteration(
  verdict: SummaryVerdict | null,
  lift: Pick<IterationLift, "verdict" | "action"> | null,
): MarkKind {
  if (verdict === "unfinished") return "unsettled";
  if (lift !== null) return lift.action === null ? BY_BENCHMARK[lift.verdict] : BY_ACTION[lift.action];
  return verdict === null ? "left-out" : BY_SUMMARY[verdict];
}

export function markOfLine(line: IterationLine): MarkKind {
  return markOfIteration(line.verdict, line.lift);
}

const COUNTS_AS_FAILED: ReadonlySet<GridRun["status"]> = new Set([
  "timed-out",
  "interactive",
  "max-turns",
  "crashed",
]);

/** A run passes when every check that could be scored does. */
export function markOfRun({ status, verdicts }: Pick<GridRun, "status" | "verdicts">): MarkKind {
  if (status === "running") return "unsettled";
  if (COUNTS_AS_FAILED.has(status)) return "failed";
  if (status !== "completed") return "left-out";
  if (verdicts.includes("f")) return "failed";
  if (verdicts.includes("p")) return verdicts.includes("u") ? "unsettled" : "passed";
  return "left-out";
}

export function markOfLetter(letter: string): MarkKind {
  return letter === "p" ? "passed" : letter === "f" ? "failed" : "left-out";
}

export function markOfStatus(status: "passed" | "failed" | "unscored"): MarkKind {
  return status === "unscored" ? "left-out" : status;
}

/** The arm under test first, then what it is held against: every case reads the same way. */
const ARMS: readonly GridArm["variant"][] = [
  "with_skill",
  "new_skill",
  "inline",
  "without_skill",
  "old_skill",
];

export function inOrder(cases: readonly GridCase[]): readonly GridCase[] {
  return cases.map((one) => ({
    ...one,
    arms: one.arms.toSorted((a, b) => ARMS.indexOf(a.variant) - ARMS.indexOf(b.variant)),
  }));
}

/** The runs of one case do not agree. */
export function isFlaky(arm: GridArm): boolean {
  const marks = new Set(arm.runs.map(markOfRun));
  return marks.has("passed") && marks.has("failed");
}
