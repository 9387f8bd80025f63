import type {
  AdaptiveBenchmark,
  ArmComparison,
  BenchmarkSummary,
  LiftComparison,
} from "../../domain/benchmark.ts";
import type { Variant } from "../../domain/trial.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { lookRepeatedly, type LooksTaken } from "../../stats/looks.ts";
import { type Alarm, isOfCases } from "../alarms.ts";
import type { Evaluated } from "../evaluated.ts";
import { type Arm, armOf, partOf, summarizeArm } from "./arm.ts";
import { compareCases, compareSides, liftOptions, scoresOf, type ArmSides, sidesOf } from "./compare-arms.ts";
import { comparedChecks } from "./compared-checks.ts";
import { compareLift, levelsOf } from "./compare-lift.ts";
import { decisionOf, decisionOnNoise } from "./decision.ts";
import { liftText } from "./lift-text.ts";
import { notesOf } from "./notes.ts";
import { factsOf, type TrialFacts } from "../trial-facts.ts";
import { runNoise } from "./run-noise.ts";
import { type AdaptivePlan, type BenchmarkRules, benchOptionsOf, lookSizes } from "./options.ts";

/** What a benchmark is seen beside. */
interface BenchmarkBeside {
  /** The iteration of the same group that an `inline` arm is to be compared with. */
  readonly partner?: Evaluated | null;
  /** Of the iteration: where there is one, nobody is advised to add runs or cases. */
  readonly alarms?: readonly Alarm[];
  /** Of its trials, where they are known already. */
  readonly facts?: readonly TrialFacts[];
}

/** Compares the arms of an iteration; null when nobody asked for that. */
export function benchmarkOf(
  evaluated: Evaluated,
  { partner = null, alarms: raised = [], facts = factsOf(evaluated) }: BenchmarkBeside = {},
): BenchmarkSummary | null {
  const options = benchOptionsOf(evaluated.iteration.options);
  if (options === null) return null;
  const arms = armsOf(evaluated, options, { partner, facts });
  const [treatment, baseline, third] = arms;
  const isOwn = (arm: Arm) => arm.evaluated === evaluated;
  if (treatment === undefined || baseline === undefined)
    return {
      ...NOTHING,
      alarms: raised.map(({ text }) => text),
      arms: arms.filter(isOwn).map((arm) => summarizeArm(arm)),
    };
  const sides = sidesOf(treatment, baseline);
  const others = third === undefined ? null : sidesOf(third, treatment);
  const own = [
    { arm: treatment, beside: comparedChecks(sides, "treatment") },
    { arm: baseline, beside: comparedChecks(sides, "baseline") },
    ...(others === null ? [] : [{ arm: others.treatment, beside: comparedChecks(others, "treatment") }]),
  ]
    .filter(({ arm }) => isOwn(arm))
    .map(({ arm, beside }) => summarizeArm(arm, beside));
  const { comparison: compared, adaptive } = compareLooks(sides, options, raised);
  // A loss shows that the cases tell the arms apart, however easy they are without the skill.
  const isLoss = compared.passRate.verdict === "worse";
  const alarms = raised.filter(({ kind }) => kind !== "saturated" || !isLoss);
  const isBroken = alarms.some((alarm) => !isOfCases(alarm));
  // What to do then is said already, and differs from what a benchmark without looks would need.
  const isGivenUp = (adaptive?.givenUpAt ?? null) !== null;
  const isAdvised = alarms.length === 0 && !options.aa && !isGivenUp;
  const comparison = isAdvised ? compared : withoutAdvice(compared, isBroken);
  // A case that comes out alike in both halves is what one hopes for; one that nobody worked on says nothing.
  const isMute = options.aa || alarms.some(leavesNothing);
  const cases = compareCases(sides).map((one) => (isMute ? { ...one, noSignal: [] } : one));
  const noise = options.aa ? runNoise(scoresOf(sides), liftOptions(sides, options)) : null;
  return {
    verdict: comparison.passRate.verdict,
    decision: options.aa
      ? decisionOnNoise(noise, alarms)
      : decisionOf({ sides, comparison, alarms, adaptive }),
    alarms: alarms.map(({ text }) => text),
    arms: own,
    comparisons: [comparison, ...(others === null ? [] : [compareSides(others, options)])],
    cases,
    notes: alarms.some(leavesNothing) ? [] : notesOf({ sides, arms: own, cases, sameArm: options.aa }),
    adaptive,
    noise,
  };
}

/** A gain that a broken set-up explains is none of the skill's. */
function withoutAdvice(comparison: ArmComparison, isBroken: boolean): ArmComparison {
  const passRate =
    isBroken && comparison.passRate.verdict === "better"
      ? withoutVerdict(comparison.passRate)
      : comparison.passRate;
  return { ...comparison, passRate: { ...passRate, explanation: liftText(passRate, { advice: false }) } };
}

function withoutVerdict(passRate: LiftComparison): LiftComparison {
  const { interval, pValue } = passRate.otherCases;
  return {
    ...passRate,
    verdict: "invalid",
    otherCases: {
      verdict: "invalid",
      interval,
      pValue,
      improvesAtLeast: null,
      worsensAtLeast: null,
      casesNeeded: null,
    },
  };
}

/** What the checks found then is no finding. */
function leavesNothing({ kind }: Alarm): boolean {
  return kind === "no result" || kind === "dead arm" || kind === "all broke off";
}

const NOTHING: Omit<BenchmarkSummary, "arms" | "alarms"> = {
  verdict: "invalid",
  decision: null,
  comparisons: [],
  cases: [],
  notes: ["There is only one side, so there is nothing to compare it with"],
  adaptive: null,
  noise: null,
};

/** The arm under test first, then what it is compared with; a third is compared with the first. */
export function armsOf(
  evaluated: Evaluated,
  { aa }: BenchmarkRules,
  { partner = null, facts = factsOf(evaluated) }: Omit<BenchmarkBeside, "alarms"> = {},
): Arm[] {
  if (aa) return halves(armOf(evaluated, "with_skill", facts));
  const order: readonly Variant[] = ["with_skill", "new_skill", "inline", "without_skill", "old_skill"];
  const own = order.map((variant) => armOf(evaluated, variant, facts)).filter((arm) => arm.trials.length > 0);
  const isInline = own.length === 1 && own[0]?.variant === "inline";
  if (!isInline || partner === null) return own;
  return [...own, armOf(partner, "without_skill"), armOf(partner, "with_skill")];
}

/** The same arm twice: runs made side by side, told apart by number only. */
function halves(arm: Arm): Arm[] {
  const half = (name: string, rest: number) => partOf(arm, (trial) => trial.repetition % 2 === rest, name);
  return [half("odd runs", 1), half("even runs", 0)];
}

/** With `--adaptive` the data were looked at several times, and the verdict has to allow for that. */
function compareLooks(
  sides: ArmSides,
  options: BenchmarkRules,
  raised: readonly Alarm[],
): { comparison: ArmComparison; adaptive: AdaptiveBenchmark | null } {
  const looked = options.adaptive === null ? null : looksOf(sides, options, options.adaptive);
  if (looked === null) return { comparison: compareSides(sides, options), adaptive: null };
  const { taken, sizes, passRate, counts } = looked;
  const at = (status: typeof taken.status) => (taken.status === status ? taken.looks.length : null);
  return {
    comparison: compareSides(sides, options, passRate),
    adaptive: {
      maxLooks: sizes.length,
      decidedAt: at("decided"),
      givenUpAt: at("futile"),
      stoppedBy: isStillOpen(taken) ? beyondCure(raised, passRate.lift) : null,
      looks: taken.looks.map(({ runs, threshold, pValue }) => ({ runs, threshold, pValue })),
      ...counts,
    },
  };
}

/** Null before the first look. */
function looksOf(sides: ArmSides, options: BenchmarkRules, plan: AdaptivePlan) {
  const sizes = lookSizes(plan);
  const looked = looksMade(sides, sizes).map((runs) => scoresOf(upTo(sides, runs)));
  const lift = liftOptions(sides, options);
  const taken = lookRepeatedly(
    looked.map(({ treatment, baseline }) => caseRunsOf(treatment, baseline)),
    { ...levelsOf(lift), sizes },
  );
  const last = taken && looked[taken.looks.length - 1];
  if (taken === null || last === undefined || last === null) return null;
  const passRate = compareLift(last, lift, taken.comparison);
  return { taken, sizes, passRate, counts: runCounts(sides, plan) };
}

function isStillOpen({ status }: LooksTaken): boolean {
  return status === "open" || status === "futile";
}

/** What more runs would only pay for again. A baseline that passes all may still show a loss where one is in sight. */
function beyondCure(alarms: readonly Alarm[], lift: number | null): string | null {
  const found = alarms.find(
    ({ kind }) => kind === "all broke off" || (kind === "saturated" && (lift ?? 0) >= 0),
  );
  return found?.text ?? null;
}

/** The looks that the runs there are allow; an unfinished round is no look. */
function looksMade(sides: ArmSides, sizes: readonly number[]): readonly number[] {
  const most = sides.treatment.trials.at(-1)?.trial.repetition ?? 0;
  return sizes.filter((runs) => runs <= most);
}

function upTo({ treatment, baseline }: ArmSides, runs: number): ArmSides {
  const cut = (arm: Arm) => partOf(arm, (trial) => trial.repetition <= runs);
  return sidesOf(cut(treatment), cut(baseline));
}

function runCounts({ treatment, baseline }: ArmSides, { maxRuns }: AdaptivePlan) {
  const trials = [...treatment.trials, ...baseline.trials];
  const cases = new Set(trials.map(({ trial }) => `${trial.caseId} ${trial.variant}`)).size;
  return { maxRuns, plannedRuns: cases * maxRuns, runs: trials.length };
}
