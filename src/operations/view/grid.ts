import { skillNameIn } from "../../domain/iteration.ts";
import { isCanary } from "../../domain/canary.ts";
import type { GridArm, GridCase, GridRun, IterationProgress } from "../../domain/pages.ts";
import { type Run, secondsOf, totalTokens } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { CaseSummary } from "../../domain/summary.ts";
import type { Trial } from "../../domain/trial.ts";
import { groupBy } from "../../lib/group-by.ts";
import { caseIntervals } from "../../report/benchmark/case-intervals.ts";
import { hasSkill } from "../../report/run-counts.ts";
import { wasLoaded } from "../../report/trial-facts.ts";
import { promptText } from "../../store/write/eval-metadata.ts";
import type { ViewedIteration } from "./stored.ts";
import { verdictLetters } from "./verdict-letters.ts";

/** Cases x variants x repetitions x checks, small enough for ten thousand runs. */
export function gridOf(found: ViewedIteration, progress: IterationProgress): readonly GridCase[] {
  const { state, iteration, summary } = found;
  const trials = groupBy(state.trials, ({ caseId }) => caseId);
  const summaries = groupBy(summary.cases, ({ caseId }) => caseId);
  const comparisons = new Map(summary.benchmark?.cases.map((one) => [one.caseId, one]));
  const intervals = caseIntervals({ ...state, iteration });
  const weak = weakChecks(found);
  return state.cases
    .filter((one) => !isCanary(one))
    .map((one) => ({
      caseId: one.id,
      name: one.name,
      kind: one.kind,
      prompt: oneLine(promptText(one, "with_skill", skillNameIn(iteration))),
      checks: one.checks.map(({ id, text, layer }) => ({
        id,
        text,
        layer,
        weak: weak.get(one.id)?.get(text) ?? [],
      })),
      arms: armsOf(one, trials.get(one.id) ?? [], {
        found,
        progress,
        summaries: summaries.get(one.id) ?? [],
      }),
      comparison: comparisons.get(one.id) ?? null,
      interval: intervals.get(one.id) ?? null,
    }));
}

function armsOf(
  one: Case,
  trials: readonly Trial[],
  beside: { found: ViewedIteration; progress: IterationProgress; summaries: readonly CaseSummary[] },
): readonly GridArm[] {
  return [...groupBy(trials, ({ variant }) => variant)].map(([variant, mine]) => {
    const summary = beside.summaries.find((some) => some.variant === variant);
    return {
      variant,
      checks: summary?.checks ?? { passed: 0, total: 0, rate: null, low: null, high: null },
      stability: summary?.stability ?? null,
      runs: mine.toSorted((a, b) => a.repetition - b.repetition).map((trial) => gridRun(one, trial, beside)),
    };
  });
}

function gridRun(
  one: Case,
  { id, repetition, variant }: Trial,
  { found: { state, iteration }, progress }: { found: ViewedIteration; progress: IterationProgress },
): GridRun {
  const run = state.runs.get(id)?.run;
  const letters = verdictLetters(state.gradings.get(id));
  const isAtWork = progress === "running" && state.attempts.has(id);
  return {
    trial: id,
    repetition,
    status: run?.outcome.status ?? (isAtWork ? "running" : "not-run"),
    verdicts: one.checks.map((check) => letters.get(check.id) ?? "-").join(""),
    seconds: run === undefined ? null : secondsOf(run),
    tokens: run === undefined ? null : totalTokens(run.usage),
    costUsd: run?.usage.costUsd ?? null,
    loaded: run === undefined || !hasSkill(variant) ? null : loadedIn(run, one, skillNameIn(iteration)),
    reused: (run?.reusedFrom ?? null) !== null,
  };
}

/** Null where nothing shows whether it was. */
function loadedIn(run: Run, one: Case, skill: string): boolean | null {
  const loaded = wasLoaded(run, one, skill);
  return loaded || run.validity.status !== "unverified" ? loaded : null;
}

/** What judges said against checks, by case and text. */
function weakChecks({
  summary,
  state,
}: ViewedIteration): ReadonlyMap<string | undefined, ReadonlyMap<string | null, readonly string[]>> {
  const said = summary.remarks.filter(({ kind, check }) => kind === "weak-check" && check !== null);
  if (said.length === 0) return new Map();
  const caseOf = new Map(state.trials.map(({ id, caseId }) => [id, caseId]));
  const byCase = groupBy(said, ({ trialIds: [first = ""] }) => caseOf.get(first));
  return new Map(
    [...byCase].map(([caseId, remarks]) => {
      const byCheck = groupBy(remarks, ({ check }) => check);
      return [caseId, new Map([...byCheck].map(([check, mine]) => [check, mine.map(({ text }) => text)]))];
    }),
  );
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
