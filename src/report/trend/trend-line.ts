import { createHash } from "node:crypto";
import { countsAs, type Run, totalTokens } from "../../domain/run.ts";
import type { Summary, VariantSummary } from "../../domain/summary.ts";
import type { TrendArm, TrendLift, TrendLine } from "../../domain/trend.ts";
import { mean } from "../../stats/descriptive.ts";
import type { Evaluated } from "../evaluated.ts";

/** What one iteration came to, small enough to keep for ever. */
export function trendLine(summary: Summary, evaluated: Evaluated): TrendLine {
  const { iteration } = evaluated;
  const { client } = iteration;
  return {
    schema: 1,
    iteration: iteration.number,
    at: iteration.createdAt,
    group: iteration.group,
    suite: iteration.suite,
    harness: iteration.harness,
    model: iteration.model,
    client: client === null ? null : [client.name, client.version].filter(Boolean).join(" "),
    skill: iteration.skill?.sha256 ?? null,
    evals: digest(iteration.evalFiles.map((file) => file.sha256)),
    verdict: summary.verdict,
    arms: Object.fromEntries(
      summary.variants.map((variant) => [variant.variant, armOf(variant, summary, evaluated)]),
    ),
    lift: liftOf(summary),
  };
}

function armOf(
  { variant, trials, scored, checks, layers }: VariantSummary,
  summary: Summary,
  evaluated: Evaluated,
): TrendArm {
  const runs = evaluated.trials
    .filter((trial) => trial.variant === variant)
    .flatMap((trial) => evaluated.runs.get(trial.id)?.run ?? [])
    .filter((run) => countsAs(run.outcome) !== "left-out");
  const tried = summary.cases.filter((one) => one.variant === variant).flatMap((one) => one.trials);
  const over = (measure: (run: Run) => number | null) => mean(runs.flatMap((run) => measure(run) ?? []));
  return {
    trials,
    scored,
    passed: checks.passed,
    total: checks.total,
    layers: Object.fromEntries(
      Object.entries(layers).map(([layer, { passed, total }]) => [layer, { passed, total }]),
    ),
    meanScore: mean(tried.flatMap((trial) => trial.meanScore ?? [])),
    stability: mean(tried.flatMap(({ meetsGate }) => (meetsGate === null ? [] : [meetsGate ? 1 : 0]))),
    seconds: over((run) => run.durationMs / 1000),
    tokens: over((run) => totalTokens(run.usage)),
    costUsd: over((run) => run.usage.costUsd),
  };
}

function liftOf({ benchmark }: Summary): TrendLift | null {
  const comparison = benchmark?.comparisons[0]?.passRate;
  if (comparison === undefined) return null;
  const { verdict, lift, interval, pValue } = comparison;
  return { verdict, lift, low: interval?.low ?? null, high: interval?.high ?? null, pValue };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(parts.toSorted().join("\n")).digest("hex").slice(0, 16);
}
