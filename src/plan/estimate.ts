import type { Estimate, Plan } from "../domain/plan.ts";
import type { Trial } from "../domain/trial.ts";

/** What earlier runs took, by case and variant, most specific first; from the newest iterations. */
export interface RunHistory {
  readonly runs: readonly PastRun[];
  /** Whose runs these are, where the plan does not say; else null. */
  readonly agent: string | null;
  /** Money for tokens of the planned model; null where the price is unknown. */
  readonly price: ((tokens: { input: number; output: number }) => number) | null;
  /** How many trials run side by side. */
  readonly concurrency: number;
}

export interface PastRun {
  readonly caseId: string;
  readonly variant: string;
  readonly seconds: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export const NO_HISTORY: RunHistory = { runs: [], agent: null, price: null, concurrency: 1 };

/** The mean of the same case and variant, else of the same case, else of all; null without any run. */
export function expectedSeconds(trial: Trial, history: RunHistory): number | null {
  return mean(pastRuns(trial, history).map((run) => run.seconds));
}

export function estimate(
  trials: readonly Trial[],
  history: RunHistory,
  { repeats, costs }: { readonly repeats: number; readonly costs: ReturnType<typeof costsOf> },
): Estimate {
  const past = trials.map((trial) => pastRuns(trial, history));
  const seconds = sum(past.map((runs) => mean(runs.map((run) => run.seconds))));
  const input = sum(past.map((runs) => mean(known(runs.map((run) => run.inputTokens)))));
  const output = sum(past.map((runs) => mean(known(runs.map((run) => run.outputTokens)))));
  const paid = costs === null ? null : sum(Object.values(costs));
  const priced = history.price !== null && input !== null && output !== null;
  return {
    runs: trials.length,
    repeats,
    minutes:
      seconds === null ? null : seconds / 60 / Math.max(1, Math.min(history.concurrency, trials.length)),
    inputTokens: input,
    outputTokens: output,
    // What runs have cost says more than their tokens, which do not tell cached ones apart.
    costUsd: paid ?? (priced ? (history.price?.({ input, output }) ?? null) : null),
    basis: basisText(history),
  };
}

/** By trial id, from what such runs have cost; null as soon as one is unknown. */
export function costsOf(
  trials: readonly Trial[],
  history: RunHistory,
): Readonly<Record<string, number>> | null {
  const costs: Record<string, number> = {};
  for (const trial of trials) {
    const cost = mean(known(pastRuns(trial, history).map((run) => run.costUsd)));
    if (cost === null) return null;
    costs[trial.id] = cost;
  }
  return costs;
}

/** What these trials of a plan are likely to cost; null where nothing is known to base it on. */
export function costOfTrials(
  { trials: all, estimate: whole, costs }: Pick<Plan, "trials" | "estimate" | "costs">,
  trials: readonly Pick<Trial, "id">[],
): number | null {
  if (trials.length === 0) return 0;
  if (costs !== undefined) return sum(trials.map(({ id }) => costs[id] ?? null));
  return whole.costUsd === null ? null : (whole.costUsd * trials.length) / all.length;
}

function basisText({ runs, agent }: RunHistory): string {
  if (runs.length === 0) return "no earlier runs";
  const count = `${runs.length} earlier ${runs.length === 1 ? "run" : "runs"}`;
  return agent === null ? count : `${count} of ${agent}`;
}

function pastRuns(trial: Trial, history: RunHistory): readonly PastRun[] {
  const sameCase = history.runs.filter((run) => run.caseId === trial.caseId);
  const sameVariant = sameCase.filter((run) => run.variant === trial.variant);
  if (sameVariant.length > 0) return sameVariant;
  return sameCase.length > 0 ? sameCase : history.runs;
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

/** Null as soon as one part is unknown: a sum of some is not the sum of all. */
function sum(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
}
