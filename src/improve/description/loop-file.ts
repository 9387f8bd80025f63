import type { JsonObject } from "../../domain/json.ts";
import type { QuerySummary } from "../../domain/triggers.ts";
import type { Split } from "../../triggers/split.ts";
import { type DescriptionAttempt, passedOf } from "./attempt.ts";
import { comparisonText, isImproved, passRate } from "./fresh.ts";
import type { Exit, FreshTest, Progress } from "./optimise.ts";

/**
 * What skill-creator's run_loop prints, so that its report reads it. Its "test" is what descriptions are chosen by, which
 * is our validation; the queries that nothing was chosen by are in `fresh_test`.
 */
export function loopFile(
  { exit, attempts, best, fresh }: Progress,
  { split, rounds, seed }: { split: Split; rounds: number; seed: number },
): JsonObject {
  const [original] = attempts;
  const { train, validation, test } = split;
  return {
    exit_reason: exit === null ? null : exitText(exit, { tried: attempts.length, rounds }),
    original_description: original?.description ?? null,
    best_description: best?.description ?? null,
    best_score: best === null ? null : score(best.validation),
    best_train_score: best === null ? null : score(best.train),
    best_test_score: best === null ? null : score(best.validation),
    final_description: attempts.at(-1)?.description ?? null,
    iterations_run: attempts.length,
    holdout: share(validation.length, train.length + validation.length),
    train_size: train.length,
    test_size: validation.length,
    history: attempts.map(historyEntry),
    improved: isImproved(fresh),
    fresh_test: fresh === null ? null : freshFile(fresh),
    split: { seed, train: ids(train), validation: ids(validation), test: ids(test) },
  };
}

export function exitText(exit: Exit, { tried, rounds }: { tried: number; rounds: number }): string {
  switch (exit.kind) {
    case "all-passed":
      return `all_passed (iteration ${tried})`;
    case "rounds":
      return `max_iterations (${rounds})`;
    case "stopped":
      return `stopped (${exit.why}): ${exit.message}`;
    case "unanswered":
      return `no_description: ${exit.message}`;
  }
}

function score(queries: readonly QuerySummary[]): string {
  return `${passedOf(queries)}/${queries.length}`;
}

function historyEntry({ description, train, validation }: DescriptionAttempt, index: number): JsonObject {
  const counts = {
    passed: passedOf(train),
    failed: train.length - passedOf(train),
    total: train.length,
    results: train.map(queryFile),
  };
  return {
    iteration: index + 1,
    description,
    train_passed: counts.passed,
    train_failed: counts.failed,
    train_total: counts.total,
    train_results: counts.results,
    test_passed: passedOf(validation),
    test_failed: validation.length - passedOf(validation),
    test_total: validation.length,
    test_results: validation.map(queryFile),
    ...counts,
  };
}

function queryFile({ query, shouldTrigger, fired, status }: QuerySummary): JsonObject {
  return {
    query,
    should_trigger: shouldTrigger,
    trigger_rate: fired.rate,
    triggers: fired.passed,
    runs: fired.total,
    pass: status === "unscored" ? null : status === "passed",
  };
}

function freshFile({ original, best, comparison }: FreshTest): JsonObject {
  return {
    size: original.length,
    original: { ...passRate(original) },
    best: { ...passRate(best) },
    verdict: comparison?.verdict ?? null,
    explanation: comparison === null ? null : comparisonText(comparison),
    original_results: original.map(queryFile),
    best_results: best.map(queryFile),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(4));
}

function ids(cases: Split["train"]): string[] {
  return cases.map(({ id }) => id);
}
