import type { BrokenOffStatus, LeftOutStatus } from "../domain/run.ts";
import type { Repeated, RunCounts } from "../domain/summary.ts";
import type { Variant } from "../domain/trial.ts";
import { plural } from "../lib/plural.ts";
import { passAtK, passPowK } from "../stats/pass-at-k.ts";
import { rateByCluster } from "../stats/rate-by-cluster.ts";
import { percent } from "./text.ts";
import { isCounted, type TrialFacts } from "./trial-facts.ts";

/** What stands beside the rate of one arm. */
export function countRuns(facts: readonly TrialFacts[], variant: Variant): RunCounts {
  const brokeOff: Partial<Record<BrokenOffStatus, number>> = {};
  const leftOut: Partial<Record<LeftOutStatus, number>> = {};
  const scored = new Map<string, RepeatedCase>();
  let [counted, failing, notRun, unscoredChecks, loaded] = [0, 0, 0, 0, 0];
  let isSeen = false;
  for (const one of facts) {
    if (one.as === "not-run") notRun++;
    if (one.as === "left-out") addOne(leftOut, one.outcome?.status as LeftOutStatus);
    if (one.as === "failed") addOne(brokeOff, one.outcome?.status as BrokenOffStatus);
    if (!isCounted(one)) continue;
    counted++;
    if (one.failed > 0) failing++;
    unscoredChecks += one.unscored;
    if (one.isLoaded) loaded++;
    if (!one.isUnverified) isSeen = true;
    if (one.verdicts.length > 0) countRepeat(scored, one.trial.caseId, one.failed === 0);
  }
  return {
    counted,
    failing,
    brokeOff,
    leftOut,
    notRun,
    unscoredChecks,
    loaded: hasSkill(variant) && (loaded > 0 || isSeen) ? loaded : null,
    repeated: repeatedOf(scored),
  };
}

/** `14 of 15 trials counted, skill loaded in 12; 2 crashed, 1 timed out; left out: 1 auth; 3 checks unscored`. */
export function countsText(counts: RunCounts & { readonly trials: number }): string {
  const { trials, counted, loaded, brokeOff, unscoredChecks } = counts;
  const left = leftOutText(counts);
  return [
    `${counted} of ${trials} trials counted${loaded === null ? "" : `, skill loaded in ${loaded}`}`,
    ...(Object.keys(brokeOff).length === 0 ? [] : [brokeOffText(brokeOff)]),
    ...(left === "" ? [] : [`left out: ${left}`]),
    ...(unscoredChecks === 0 ? [] : [`${plural(unscoredChecks, "check")} unscored`]),
  ].join("; ");
}

/** `1 auth, 2 not run`; empty where nothing was. */
export function leftOutText({ leftOut, notRun }: Pick<RunCounts, "leftOut" | "notRun">): string {
  const parts = Object.entries(leftOut).map(([status, count]) => `${count} ${status}`);
  return [...parts, ...(notRun > 0 ? [`${notRun} not run`] : [])].join(", ");
}

/** `2 crashed, 1 timed out`. */
export function brokeOffText(brokeOff: RunCounts["brokeOff"]): string {
  return Object.entries(brokeOff)
    .map(([status, count]) => `${count} ${ENDINGS[status as BrokenOffStatus]}`)
    .join(", ");
}

/** `3 runs of a case: at least one passes 92 % (pass@3, 95 % interval 60 to 99 %), all pass 71 % (pass^3, ...)`. */
export function repeatedText({ runs, any, all }: Repeated): string {
  const share = ({ rate, low, high }: Repeated["any"], name: string) =>
    `${percent(rate ?? 0)} (${name}${low === null || high === null ? "" : `, 95 % interval ${Math.round(low * 100)} to ${percent(high)}`})`;
  return `${runs} runs of a case: at least one passes ${share(any, `pass@${runs}`)}, all pass ${share(all, `pass^${runs}`)}`;
}

const ENDINGS: Readonly<Record<BrokenOffStatus, string>> = {
  crashed: "crashed",
  "timed-out": "timed out",
  interactive: "stopped to ask",
  "max-turns": "ran out of turns",
};

function addOne<S extends string>(counts: Partial<Record<S, number>>, status: S): void {
  counts[status] = (counts[status] ?? 0) + 1;
}

/** In `inline` there is nothing to load. */
export function hasSkill(variant: Variant): boolean {
  return variant !== "without_skill" && variant !== "inline";
}

/** How many runs of a case passed as a whole. */
export interface RepeatedCase {
  runs: number;
  passed: number;
}

function countRepeat(cases: Map<string, RepeatedCase>, caseId: string, hasPassed: boolean): void {
  const one = cases.get(caseId);
  if (one === undefined) cases.set(caseId, { runs: 1, passed: Number(hasPassed) });
  else {
    one.runs++;
    one.passed += Number(hasPassed);
  }
}

/** Over as many runs as every case has; null for one. */
export function repeatedOf(byCase: ReadonlyMap<string, Readonly<RepeatedCase>>): Repeated | null {
  const cases = [...byCase.values()];
  const fewest = Math.min(...cases.map(({ runs }) => runs));
  if (cases.length === 0 || fewest < 2) return null;
  const over = (chance: typeof passAtK) =>
    rateByCluster(cases.map(({ runs, passed }) => ({ passed: chance(runs, passed, fewest) ?? 0, total: 1 })));
  return { runs: fewest, cases: cases.length, any: over(passAtK), all: over(passPowK) };
}
