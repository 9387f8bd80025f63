import type { BenchmarkSummary } from "../domain/benchmark.ts";
import { countsAs } from "../domain/run.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { Case } from "../domain/suite.ts";
import type { CaseSummary, Gate, Missing, SummaryVerdict } from "../domain/summary.ts";
import type { TriggerSummary } from "../domain/triggers.ts";
import type { Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Evaluated } from "./evaluated.ts";
import { boundsOf, boundText, missedBounds, stabilityBound } from "./bounds.ts";
import { isHeld } from "./held.ts";
import { leftOutTotal } from "./missing.ts";

export interface GateOptions {
  /** `--min-pass-rate`: replaces every other demand on the checks of a trial. */
  readonly minPassRate: number | null;
  /** `--allow-missing`: how many left-out trials and unscored checks are borne. */
  readonly allowMissing: number;
  /** `--trigger-threshold`; absent: the one that the iteration was run with. */
  readonly triggerThreshold?: number | null;
  /** `--strict`: an unsettled query is a missing result; absent: as the iteration was run. */
  readonly strict?: boolean;
}

/** Further gates that an iteration is held to, beyond its own checks. `root` is the iteration's folder. */
export type GateSource = (evaluated: Evaluated, root: string) => Promise<readonly Gate[]>;

/** What the exit code says. Baselines do not gate beside a skill; what could not be counted makes the result unfinished. */
export function decide(
  evidence: {
    readonly cases: readonly CaseSummary[];
    readonly missing: Missing;
    readonly triggers: TriggerSummary | null;
    readonly benchmark: BenchmarkSummary | null;
    readonly declared: readonly Case[];
    readonly iteration: Pick<Iteration, "skill">;
    /** Runs broke off or are missing so that a comparison without a clear answer says nothing. Absent: no. */
    readonly isBroken?: boolean;
    /** Gates that come from outside of the iteration. */
    readonly further: readonly Gate[];
  },
  options: GateOptions,
): { verdict: SummaryVerdict; gates: readonly Gate[] } {
  const { benchmark } = evidence;
  const declared: Declared = new Map(evidence.declared.map((one) => [one.id, one]));
  const gating = evidence.cases.filter(
    (one) =>
      isHeld(one.variant, evidence.iteration) &&
      (benchmark === null || options.minPassRate !== null || declaresGate(one, declared)),
  );
  const gates = [
    ...gating.filter((one) => one.kind === "task").flatMap((one) => caseGate(one, declared) ?? []),
    ...queryGates(evidence.triggers),
    ...benchmarkGates(benchmark),
    ...evidence.further,
  ];
  const uncounted = leftOutTotal(evidence.missing) + evidence.missing.unscoredChecks;
  const isInvalid =
    evidence.triggers?.validity.status === "invalid" ||
    (options.strict === true && isUnsettled(evidence.triggers)) ||
    isUndecided(benchmark, evidence.cases) ||
    (uncounted > 0 && isNothingScored(evidence.cases));
  if (isInvalid || uncounted > options.allowMissing) return { verdict: "unfinished", gates };
  if (gates.some((gate) => !gate.met)) return { verdict: "failed", gates };
  if (benchmark?.verdict === "underpowered" && evidence.isBroken === true)
    return { verdict: "unfinished", gates };
  return { verdict: gates.length === 0 ? "ungraded" : "passed", gates };
}

/** The cases as the eval files have them, by id. */
type Declared = ReadonlyMap<string, Case>;

/** A benchmark asks what the skill changes, so that only gates which somebody declared hold single cases. */
function declaresGate({ caseId }: CaseSummary, declared: Declared): boolean {
  const settings = declared.get(caseId)?.settings;
  return (settings?.gradeThresholds ?? settings?.variance?.minStability ?? null) !== null;
}

/** Arms were to be compared and could not be, though something was graded. */
function isUndecided(benchmark: BenchmarkSummary | null, cases: readonly CaseSummary[]): boolean {
  return benchmark?.verdict === "invalid" && cases.some((one) => one.checks.total > 0);
}

/** All that was to be scored is missing: however much of it is borne, nothing is left to say. */
function isNothingScored(cases: readonly CaseSummary[]): boolean {
  return cases.every(
    ({ checks, trials }) =>
      checks.total === 0 &&
      trials.every(({ outcome, unscored }) => countsAs(outcome) === "left-out" || unscored > 0),
  );
}

/** Neither an arm compared with itself nor the text in the prompt can make a skill worse. */
function benchmarkGates(benchmark: BenchmarkSummary | null): Gate[] {
  const comparison = benchmark?.comparisons[0];
  if (comparison === undefined || !["with_skill", "new_skill"].includes(comparison.treatment)) return [];
  const { verdict, explanation } = comparison.passRate;
  if (verdict === "invalid") return [];
  return [{ name: BENCHMARK_GATE, caseId: null, met: verdict !== "worse", detail: explanation }];
}

export const BENCHMARK_GATE = "benchmark";

function isUnsettled(triggers: TriggerSummary | null): boolean {
  return triggers?.queries.some(({ status }) => status === "unsettled") ?? false;
}

/** A query is held to its rate over all valid runs, not to each run; one that chance may have decided fails nothing. */
function queryGates(triggers: TriggerSummary | null): Gate[] {
  const scored = triggers?.queries.filter(({ status }) => status !== "unscored") ?? [];
  return scored.map(({ caseId, status, reason }) => ({
    name: caseId,
    caseId,
    met: status !== "failed",
    detail: status === "unsettled" ? `unsettled: ${reason}` : reason,
  }));
}

function caseGate(one: CaseSummary, declared: Declared): Gate | null {
  if (one.stability === null) return null;
  const asked = declared.get(one.caseId)?.settings.variance?.minStability ?? null;
  const bounds = stabilityBound(one, asked);
  const scored = one.trials.filter((trial) => trial.meetsGate !== null);
  const met = scored.filter((trial) => trial.meetsGate === true).length;
  const gate = {
    name: one.caseId,
    caseId: one.caseId,
    met: one.stability >= (asked ?? 1),
    bounds,
  };
  const missed = missedBounds(one, { ...gate, detail: "" }).map(({ bound }) => boundText(bound));
  return {
    ...gate,
    detail: [`${met} of ${scored.length} runs meet their checks`, ...new Set(missed)].join("; "),
  };
}

/** Does one scored trial do what is asked of it? Null when nothing was scored. */
export function meetsGate(one: Case, verdicts: readonly Verdict[], options: GateOptions): boolean | null {
  return boundsOf(one, verdicts, options.minPassRate)?.every(({ met }) => met) ?? null;
}

/** Does this trial alone fail its case, whatever its other runs come to? Trigger queries are decided by all their runs. */
export function failsCase(
  one: Case,
  { variant, verdicts }: { readonly variant: Variant; readonly verdicts: readonly Verdict[] },
  { iteration, options }: { readonly iteration: Pick<Iteration, "skill">; readonly options: GateOptions },
): boolean {
  if (one.kind !== "task" || !isHeld(variant, iteration)) return false;
  if ((one.settings.variance?.minStability ?? null) !== null) return false;
  return meetsGate(one, verdicts, options) === false;
}
