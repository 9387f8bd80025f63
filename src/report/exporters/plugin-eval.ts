import type { JsonObject } from "../../domain/json.ts";
import { countsAs } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { decidedChecks } from "../../domain/verdict.ts";
import { mean } from "../../stats/descriptive.ts";
import type { ExportedIteration, ExportedRun, Exporter } from "../exporter.ts";

/** What `claude plugin eval` writes: scores of tasks with and without the skill. */
export const pluginEval: Exporter = {
  name: "plugin-eval",
  summary: "aggregate-result.json of claude plugin eval (schemaVersion 1)",
  out: "file",
  mayPost: false,
  files: (exported) => [{ path: "", content: documentOf(exported) }],
};

function documentOf(exported: ExportedIteration): JsonObject {
  const { iteration, summary, cases, runs } = exported;
  const ran = new Set(runs.map((one) => one.case.id));
  const tasks = cases.filter(({ kind, id }) => kind === "task" && ran.has(id));
  const written = tasks.map((one) => caseOf(one, runs));
  const scores = written.flatMap(({ aggregates }) => aggregates.score ?? []);
  const deltas = written.flatMap(({ aggregates }) => aggregates.delta ?? []);
  const partial = partialReason(exported);
  const { costUsd } = summary.usage;
  return {
    schemaVersion: 1,
    generator: `assay ${iteration.versions.assay}`,
    claudeVersion: iteration.client?.version ?? "unknown",
    agent: iteration.harness,
    startedAt: iteration.createdAt,
    ...(summary.durationMs !== null && { durationSeconds: summary.durationMs / 1000 }),
    ...(costUsd !== null && { costUsd }),
    partial: partial !== null,
    ...(partial !== null && { partialReason: partial }),
    suite: {
      name: iteration.suite,
      ablation: runs.some(isBaseline) ? "with-without" : "none",
      threshold: 1,
      ...(iteration.model !== null && { modelOverride: iteration.model }),
      ...(iteration.judge !== null && { judgeModel: iteration.judge.model }),
    },
    aggregates: {
      overallScore: mean(scores),
      casesPassed: written.filter(({ aggregates }) => aggregates.passRate === 1).length,
      casesTotal: written.length,
      ...(deltas.length > 0 && { meanDelta: mean(deltas) }),
    },
    cases: written.map((one): JsonObject => ({ ...one, aggregates: withoutUnknown(one.aggregates) })),
  };
}

function caseOf(one: Case, runs: readonly ExportedRun[]) {
  // A run that says nothing of the skill is no run with a score of zero.
  const mine = runs.filter((run) => run.case.id === one.id && countsAs(run.run.outcome) !== "left-out");
  const tested = mine.filter((run) => isTested(run)).map(runOf);
  const baseline = mine.filter(isBaseline).map(runOf);
  const isComparable = [...tested, ...baseline].every(({ skippedPaidGraders }) => !skippedPaidGraders);
  const score = scoreOf(tested);
  const scoreWithout = scoreOf(baseline);
  return {
    name: one.name ?? one.id,
    dir: one.at.file,
    arms: { with: tested, ...(baseline.length > 0 && { without: baseline }) },
    aggregates: {
      score,
      passRate: passRate(tested),
      scoreWithout,
      passRateWithout: passRate(baseline),
      delta: score === null || scoreWithout === null || !isComparable ? null : score - scoreWithout,
    },
  };
}

function runOf({ run, grading, case: one }: ExportedRun) {
  const verdicts = grading?.verdicts ?? [];
  const decided = decidedChecks(verdicts);
  const graders = one.checks.map((check) => {
    const own = verdicts.find(({ checkId }) => checkId === check.id);
    return {
      name: check.text,
      passed: decided.get(check.id) ?? false,
      weight: 1,
      explanation: own?.reason ?? "not graded",
      withOnly: check.appliesTo === "with-skill",
      scored: decided.has(check.id) && check.appliesTo !== "with-skill",
    };
  });
  const scored = graders.filter((grader) => grader.scored);
  const passed = scored.filter((grader) => grader.passed).length;
  const score = scored.length === 0 ? null : passed / scored.length;
  const { outcome } = run;
  return {
    score,
    passed: score === 1,
    turns: run.steps,
    startedAt: run.startedAt,
    durationSeconds: run.durationMs === null ? null : run.durationMs / 1000,
    costUsd: run.usage.costUsd,
    judgeCostUsd: grading?.usage.costUsd ?? null,
    error: outcome.status === "completed" ? null : "message" in outcome ? outcome.message : outcome.status,
    skippedPaidGraders: one.checks.some(({ id }) => !decided.has(id)),
    graders,
  };
}

function isTested({ trial }: ExportedRun): boolean {
  return trial.variant === "with_skill" || trial.variant === "new_skill";
}

function isBaseline({ trial }: ExportedRun): boolean {
  return trial.variant === "without_skill";
}

/** Those who read the file must not compare one of which something is missing. */
function partialReason({ summary }: ExportedIteration): string | null {
  const { notRun, leftOut, unscoredChecks } = summary.missing;
  const causes = Object.keys(leftOut);
  if (notRun === 0 && causes.length === 0 && unscoredChecks === 0) return null;
  if (causes.includes("budget")) return "cost_ceiling";
  return causes.includes("auth") ? "auth_failed" : "interrupted";
}

function scoreOf(runs: readonly { readonly score: number | null }[]): number | null {
  return mean(runs.flatMap(({ score }) => score ?? []));
}

function passRate(
  runs: readonly { readonly score: number | null; readonly passed: boolean }[],
): number | null {
  return mean(runs.flatMap(({ score, passed }) => (score === null ? [] : [passed ? 1 : 0])));
}

function withoutUnknown(values: Readonly<Record<string, number | null>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
