import type { Location } from "../domain/diagnostic.ts";
import { countsAs } from "../domain/run.ts";
import type { CaseSummary } from "../domain/summary.ts";
import type { QuerySummary } from "../domain/triggers.ts";
import type { Verdict } from "../domain/verdict.ts";
import { groupBy } from "../lib/group-by.ts";
import { boundText } from "./bounds.ts";
import { isHeld, whyBorne } from "./held.ts";
import type { IterationReport } from "./reporter.ts";
import { outcomeText, verdictText } from "./text.ts";

/** Something to look at after a run, with its place in the eval file. */
export interface Problem {
  /** `failed` decides the exit code; `missing` could not be counted; `open` could not be decided. */
  readonly kind: "failed" | "missing" | "open";
  readonly title: string;
  readonly message: string;
  /** Null: it is of no single case. */
  readonly at: Location | null;
}

/** What failed first, then what is missing, then what is open, each in the order of the cases. */
export function problemsOf(report: IterationReport): readonly Problem[] {
  const { summary, evaluated } = report;
  const places = new Map(evaluated.cases.map(({ id, at }) => [id, at]));
  const tasks = summary.cases.filter(
    ({ kind, variant }) => kind === "task" && isHeld(variant, evaluated.iteration),
  );
  const found = [
    ...summary.gates
      .filter(({ caseId, met }) => caseId === null && !met)
      .map(({ name, detail }): Problem => ({ kind: "failed", title: name, message: detail, at: null })),
    ...tasks.flatMap((one) => ofCase(one, report, places.get(one.caseId) ?? null)),
    ...(summary.triggers?.queries ?? []).flatMap((query) => ofQuery(query, places.get(query.caseId) ?? null)),
  ];
  return found.toSorted((a, b) => RANK[a.kind] - RANK[b.kind]);
}

const RANK = { failed: 0, missing: 1, open: 2 } as const;

function ofCase(
  { caseId, trials }: CaseSummary,
  { summary, evaluated }: IterationReport,
  at: Location | null,
): readonly Problem[] {
  const gate = summary.gates.find((one) => one.caseId === caseId);
  const isFailed = whyBorne(gate) === null;
  const verdicts = trials.flatMap(({ trialId }) => evaluated.gradings.get(trialId)?.verdicts ?? []);
  const open = verdicts.filter(({ status }) => status === "unscored" || (isFailed && status === "failed"));
  const checks = [...groupBy(open, ({ checkId, status }) => `${status} ${checkId}`).values()];
  const missing = trials.filter(({ outcome }) => countsAs(outcome) === "left-out");
  return [
    ...checks.flatMap((alike) => ofCheck(alike, { caseId, runs: trials.length, at })),
    ...(isFailed ? (gate?.bounds ?? []) : [])
      .filter(({ met }) => !met)
      .map((bound): Problem => ({ kind: "failed", title: caseId, message: boundText(bound), at })),
    ...missing.map(({ outcome }): Problem => ({
      kind: "missing",
      title: caseId,
      message: outcomeText(outcome),
      at,
    })),
  ];
}

function ofCheck(
  alike: readonly Verdict[],
  { caseId, runs, at }: { caseId: string; runs: number; at: Location | null },
): readonly Problem[] {
  const [first] = alike;
  if (first === undefined) return [];
  const among = runs > 1 ? ` (${alike.length} of ${runs} runs)` : "";
  return [
    {
      kind: first.status === "failed" ? "failed" : "open",
      title: `${caseId}: ${first.text}`,
      message: `${verdictText(first)}${among}`,
      at,
    },
  ];
}

function ofQuery({ caseId, query, status, reason }: QuerySummary, at: Location | null): readonly Problem[] {
  if (status === "passed") return [];
  return [
    { kind: status === "failed" ? "failed" : "open", title: `${caseId}: ${query}`, message: reason, at },
  ];
}
