import type { Grading } from "../../domain/grading.ts";
import type { Case } from "../../domain/suite.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { printable } from "../../lib/printable.ts";
import { type GateOptions, meetsGate } from "../../report/gates.ts";
import { verdictText } from "../../report/text.ts";
import { EXIT } from "../exit.ts";
import type { Terminal } from "../terminal.ts";

/** A grading that is only printed. */
export interface LooseGrading {
  /** What was graded, as a person knows it. */
  readonly name: string;
  readonly case: Case;
  readonly grading: Grading;
}

/** Prints gradings that are kept nowhere, and answers the exit code by the rules of a run. */
export function printGradings(
  gradings: readonly LooseGrading[],
  { gates, json, terminal }: { gates: GateOptions; json: boolean; terminal: Terminal },
): number {
  const met = gradings.map((one) => meetsGate(one.case, one.grading.verdicts, gates));
  if (json) {
    const runs = gradings.map(({ name, case: one, grading }, index) => ({
      name,
      caseId: one.id,
      meetsGate: met[index],
      ...grading,
    }));
    terminal.out(`${JSON.stringify({ runs }, null, 2)}\n`);
  } else for (const one of gradings) terminal.out(printable(gradingText(one)));
  const unscored = gradings.flatMap(({ grading }) =>
    grading.verdicts.filter(({ status }) => status === "unscored"),
  );
  if (unscored.length > gates.allowMissing) return EXIT.unfinished;
  return met.includes(false) ? EXIT.gateMissed : EXIT.ok;
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
  return `  ${MARKS[verdict.status]} ${verdict.layer} ${verdict.text.replaceAll("\n", " ")}${why === "" ? "" : `: ${why}`}`;
}
