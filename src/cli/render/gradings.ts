import { checkText, printable, verdictText } from "../../operations/text.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { LooseGrading, LooseGradings } from "../../operations/grade-again.ts";

/** Gradings that are kept nowhere, for a person: failures first. */
export function gradingsText({ runs }: LooseGradings): string {
  return printable(runs.map(gradingText).join(""));
}

export function gradingsJson({ runs }: LooseGradings): string {
  const flat = runs.map(({ grading, ...run }) => ({ ...run, ...grading }));
  return `${JSON.stringify({ runs: flat }, null, 2)}\n`;
}

function gradingText({ name, grading: { verdicts, judgeModel } }: LooseGrading): string {
  const passed = verdicts.filter(({ status }) => status === "passed").length;
  const order = ["failed", "unscored", "passed"] as const;
  const sorted = order.flatMap((status) => verdicts.filter((verdict) => verdict.status === status));
  const judge = judgeModel === null ? "" : `; judged by ${judgeModel}`;
  return [
    `${name}: ${passed} of ${verdicts.length} checks passed${judge}`,
    ...sorted.map(verdictLine),
    "",
  ].join("\n");
}

const MARKS = { passed: "+", failed: "x", unscored: "?" } as const;

function verdictLine(verdict: Verdict): string {
  const why = verdictText(verdict).replaceAll("\n", " ");
  return `  ${MARKS[verdict.status]} ${checkText(verdict)}${why === "" ? "" : `: ${why}`}`;
}
