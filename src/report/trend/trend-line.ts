import { createHash } from "node:crypto";
import { isPartial } from "../../domain/iteration.ts";
import { countsAs, type Run, secondsOf, totalTokens } from "../../domain/run.ts";
import type { Summary, VariantSummary } from "../../domain/summary.ts";
import { isRepeat } from "../../domain/triggers.ts";
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
    purpose: iteration.purpose,
    ...(isPartial(iteration) && { partial: true as const }),
    at: iteration.createdAt,
    group: iteration.group,
    suite: iteration.suite,
    harness: iteration.harness,
    model: iteration.model,
    client: client === null ? null : [client.name, client.version].filter(Boolean).join(" "),
    skill: iteration.skill?.sha256 ?? null,
    evals: digest(iteration.evalFiles.map((file) => file.sha256)),
    verdict: summary.verdict,
    ...unsettledOf(summary),
    arms: Object.fromEntries(
      summary.variants.map((variant) => [variant.variant, armOf(variant, summary, evaluated)]),
    ),
    lift: liftOf(summary),
  };
}

function armOf(
  { variant, over: kind, trials, counted, checks, layers, unscoredChecks }: VariantSummary,
  summary: Summary,
  evaluated: Evaluated,
): TrendArm {
  const cases = new Map(evaluated.cases.map((one) => [one.id, one]));
  const mine = evaluated.trials.filter((trial) => {
    const one = cases.get(trial.caseId);
    const isOver = trial.variant === variant && one?.kind === kind;
    return isOver && !isRepeat(trial, one, evaluated.iteration.options);
  });
  const ids = new Set(mine.map(({ id }) => id));
  const runs = mine
    .flatMap((trial) => evaluated.runs.get(trial.id)?.run ?? [])
    .filter((run) => countsAs(run.outcome) !== "left-out");
  const tried = summary.cases
    .filter((one) => one.variant === variant && one.kind === kind)
    .flatMap((one) => one.trials)
    .filter(({ trialId }) => ids.has(trialId));
  const over = (measure: (run: Run) => number | null) => mean(runs.flatMap((run) => measure(run) ?? []));
  return {
    trials,
    scored: counted,
    passed: checks.passed,
    total: checks.total,
    interval: checks.low === null || checks.high === null ? null : { low: checks.low, high: checks.high },
    unscored: unscoredChecks,
    layers: Object.fromEntries(
      Object.entries(layers).map(([layer, { passed, total }]) => [layer, { passed, total }]),
    ),
    meanScore: mean(tried.flatMap((trial) => trial.meanScore ?? [])),
    stability: mean(tried.flatMap(({ meetsGate }) => (meetsGate === null ? [] : [meetsGate ? 1 : 0]))),
    seconds: over(secondsOf),
    tokens: over((run) => totalTokens(run.usage)),
    costUsd: over((run) => run.usage.costUsd),
  };
}

function unsettledOf({ triggers }: Summary): Pick<TrendLine, "unsettled"> {
  const all = triggers?.queries ?? [];
  const queries = all.filter(({ status }) => status === "unsettled").length;
  return queries === 0 ? {} : { unsettled: { queries, of: all.length } };
}

/** One arm against itself has none. */
function liftOf({ benchmark }: Summary): TrendLift | null {
  const comparison = benchmark?.comparisons[0]?.passRate;
  if (benchmark === null || comparison === undefined || benchmark.noise !== null) return null;
  const { verdict, lift, interval, alpha, pValue, cases, otherCases } = comparison;
  const { improvesAtLeast, worsensAtLeast } = otherCases;
  return {
    verdict,
    lift,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    ...(alpha !== 0.05 && { alpha }),
    pValue,
    cases,
    ...(benchmark.decision === null ? {} : { action: benchmark.decision.action }),
    otherCases: { verdict: otherCases.verdict, improvesAtLeast, worsensAtLeast },
  };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(parts.toSorted().join("\n")).digest("hex").slice(0, 16);
}
