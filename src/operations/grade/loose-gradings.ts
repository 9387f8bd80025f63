import type { Grading } from "../../domain/grading.ts";
import type { Case } from "../../domain/suite.ts";
import type { SummaryVerdict } from "../../domain/summary.ts";
import { type GateOptions, meetsGate } from "../../report/gates.ts";

/** Gradings that are kept nowhere, and what a run would make of them. */
export interface LooseGradings {
  readonly runs: readonly LooseGrading[];
  readonly verdict: Exclude<SummaryVerdict, "ungraded">;
}

export interface LooseGrading {
  /** What was graded, as a person knows it. */
  readonly name: string;
  readonly caseId: string;
  readonly grading: Grading;
  /** Null where nothing was scored. */
  readonly meetsGate: boolean | null;
}

/** By the rules of a run. */
export function looseGradings(
  graded: readonly { readonly name: string; readonly case: Case; readonly grading: Grading }[],
  gates: GateOptions,
): LooseGradings {
  const runs = graded.map(({ name, case: one, grading }) => ({
    name,
    caseId: one.id,
    grading,
    meetsGate: meetsGate(one, grading.verdicts, gates),
  }));
  return { runs, verdict: verdictOf(runs, gates) };
}

function verdictOf(runs: readonly LooseGrading[], { allowMissing }: GateOptions): LooseGradings["verdict"] {
  const verdicts = runs.flatMap(({ grading }) => grading.verdicts);
  if (verdicts.filter(({ status }) => status === "unscored").length > allowMissing) return "unfinished";
  return runs.some((run) => run.meetsGate === false) ? "failed" : "passed";
}
