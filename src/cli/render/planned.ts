import type { Trial } from "../../domain/trial.ts";
import type { PlannedIteration } from "../../operations/evaluate.ts";
import { money, plural, printable } from "../../operations/text.ts";

/** Cases beyond these are only counted. */
const MOST_CASES = 20;

/** What would run, skill by skill, and what all of it may take. */
export function plannedText(planned: readonly PlannedIteration[]): string {
  const trials = planned.reduce((sum, { left }) => sum + left.trials.length, 0);
  const total = `${plural(trials, "trial")} would run: ${takesText(sumOf(planned, "minutes"), sumOf(planned, "costUsd"))}`;
  return printable([...planned.flatMap(iterationLines), total, "Nothing was run.", ""].join("\n"));
}

export function plannedJson(planned: readonly PlannedIteration[]): string {
  const iterations = planned.map(({ plan: { suite, harness, model, estimate }, left }) => ({
    suite: suite.name,
    harness,
    model,
    trials: left.trials.map(({ id }) => id),
    minutes: left.minutes,
    costUsd: left.costUsd,
    basis: estimate.basis,
  }));
  return `${printable(JSON.stringify({ iterations }, null, 2))}\n`;
}

function iterationLines({ plan, left }: PlannedIteration): readonly string[] {
  const { suite, harness, model, trials, estimate } = plan;
  const agent = [harness, ...(model === null ? [] : [model])].join(", ");
  const kept = trials.length - left.trials.length;
  const earlier = kept === 0 ? "" : `; ${plural(kept, "earlier run")} kept`;
  const counts = countsOf(left.trials);
  const rest = counts.length - MOST_CASES;
  return [
    `${suite.name} (${agent}): ${plural(left.trials.length, "trial")}${earlier}; ${takesText(left.minutes, left.costUsd)} (${estimate.basis})`,
    ...counts.slice(0, MOST_CASES).map(([name, runs]) => `  ${name}  ${plural(runs, "run")}`),
    ...(rest > 0 ? [`  … and ${plural(rest, "more case")}`] : []),
  ];
}

/** Runs by case and variant, in the order of the cases' ids. */
function countsOf(trials: readonly Trial[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { caseId, variant } of trials) {
    const name = `${caseId} ${variant}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}

function takesText(minutes: number | null, costUsd: number | null): string {
  const time =
    minutes === null ? "time unknown" : minutes < 1 ? "under 1 minute" : `about ${Math.round(minutes)} min`;
  return `${time}, ${costUsd === null ? "cost unknown" : money(costUsd)}`;
}

/** Null as soon as one part is unknown. */
function sumOf(planned: readonly PlannedIteration[], key: "minutes" | "costUsd"): number | null {
  return planned.reduce<number | null>((sum, { left }) => {
    const part = left[key];
    return sum === null || part === null ? null : sum + part;
  }, 0);
}
