import type {
  AdaptiveBenchmark,
  ArmComparison,
  BenchmarkSummary,
  BenchDecision,
  RunNoise,
} from "../../domain/benchmark.ts";
import type { Gate, Summary } from "../../domain/summary.ts";
import { plural } from "../../lib/plural.ts";
import { mean } from "../../stats/descriptive.ts";
import { type Alarm, isOfCases } from "../alarms.ts";
import { money } from "../text.ts";
import { countedRuns } from "./arm.ts";
import type { ArmSides } from "./compare-arms.ts";

interface Decided {
  readonly sides: ArmSides;
  readonly comparison: ArmComparison;
  readonly alarms: readonly Alarm[];
  readonly adaptive: AdaptiveBenchmark | null;
}

/** What to do now, in plain words. Null where nothing is to be shipped: the text in the prompt. */
export function decisionOf({ sides, comparison, alarms, adaptive }: Decided): BenchDecision | null {
  const { passRate, treatment } = comparison;
  if (treatment !== "with_skill" && treatment !== "new_skill") return null;
  const broken = brokenBy(alarms);
  if (broken !== null) return broken;
  if (alarms.some(({ kind }) => kind === "saturated"))
    return decision("add cases", "Add harder cases: every check passes without the skill too.");
  if (alarms.length > 0)
    return decision(
      "fix first",
      "Fix the cases first: no check passes in any run on either side, so they are too hard, or their checks are broken.",
    );
  switch (passRate.verdict) {
    case "invalid":
      return sides.cases.every(({ checks }) => checks.length === 0)
        ? decision("fix first", "Add checks first: no case has any, so there is nothing to compare.")
        : decision("fix first", "Fix the setup first: no case was scored on both sides.");
    case "better":
      return decision(
        "ship",
        passRate.otherCases.verdict === "better"
          ? "Ship it: it does better on these cases, and on others like them."
          : "Ship it: it does better on these cases.",
      );
    case "worse":
      return decision("do not ship", "Do not ship it: it does worse on these cases.");
    case "no difference seen":
      return treatment === "new_skill"
        ? decision(
            "ship",
            "Ship it if you want the change: it makes no difference that matters on these cases.",
          )
        : decision(
            "do not ship",
            "Do not ship it for these cases: it makes no difference that matters on them.",
          );
    case "underpowered":
      return asked(passRate, addMore(passRate, sides, adaptive));
  }
}

/** Better than nothing, but less than was asked for: "undecided" alone would contradict the numbers. */
function asked({ interval, minEffect }: ArmComparison["passRate"], more: BenchDecision): BenchDecision {
  if (interval === null || interval.low <= 0 || minEffect === 0) return more;
  const least = Math.round(100 * minEffect);
  return {
    ...more,
    text: `It does better, but these runs do not show that it is by the ${least} points that --min-effect asks for. ${more.text}`,
  };
}

/** One arm against itself ships nothing, but says whether a benchmark here can be trusted. */
export function decisionOnNoise(noise: RunNoise | null, alarms: readonly Alarm[]): BenchDecision {
  const broken = brokenBy(alarms);
  if (broken !== null) return broken;
  if (noise === null)
    return decision("fix first", "Fix the setup first: no case was scored in two runs of the arm.");
  if (noise.smallestPValue > noise.alpha)
    return decision(
      "add runs",
      `Add runs: so few cannot show whether odd and even ones differ; --runs ${noise.runsNeeded} can.`,
    );
  if (noise.pValue <= noise.alpha)
    return decision(
      "fix first",
      "Check the setup before you benchmark: odd and even runs of the same skill differ, which happens by chance once in twenty times.",
    );
  return decision(
    "go on",
    noise.liftError === 0
      ? "Go on: all runs of a case gave the same result, so chance hides next to nothing here."
      : `Go on: runs of the same skill differ no more than chance allows. Differences below about ${Math.ceil(200 * noise.liftError)} points would be lost in the noise with this many runs.`,
  );
}

function brokenBy(alarms: readonly Alarm[]): BenchDecision | null {
  const alarm = alarms.find((one) => !isOfCases(one));
  return alarm === undefined ? null : decision("fix first", `Fix the setup first: ${alarm.text}.`);
}

/** What else failed or is missing comes before the comparison. */
export function decisionWith(
  alone: BenchDecision | null,
  { verdict, gates }: { readonly verdict: Summary["verdict"]; readonly gates: readonly Gate[] },
): BenchDecision | null {
  if (alone === null || !YIELDING.has(alone.action)) return alone;
  if (verdict === "unfinished")
    return alone.action === "ship"
      ? decision("fix first", `Not yet: results are missing or undecided. ${besideFailure(alone)}`)
      : alone;
  const missed = gates.filter(({ met }) => !met);
  if (missed.length === 0) return alone;
  return decision(
    "do not ship",
    `Do not ship it: ${missedGatesText(missed)} failed. ${besideFailure(alone)}`,
  );
}

/** `last known good`; `the gate of case 1`; `last known good, and the gates of cases 1, 4 and 6`. */
export function missedGatesText(missed: readonly Gate[]): string {
  const others = [...new Set(missed.filter(({ caseId }) => caseId === null).map(({ name }) => name))];
  const cases = [...new Set(missed.flatMap(({ caseId }) => caseId ?? []))];
  const last = cases.length > 1 ? ` and ${cases.at(-1)}` : "";
  const listed = `${cases.slice(0, cases.length - (last === "" ? 0 : 1)).join(", ")}${last}`;
  const ofCases =
    cases.length === 0
      ? []
      : [cases.length === 1 ? `the gate of case ${listed}` : `the gates of cases ${listed}`];
  return [...others, ...ofCases].join(", and ");
}

/** What a failed gate overrules. */
const YIELDING: ReadonlySet<BenchDecision["action"]> = new Set(["ship", "add runs", "add cases"]);

/** No advice: more runs do not mend what failed. */
function besideFailure({ action, text }: BenchDecision): string {
  return action === "ship"
    ? text.replace(/^Ship it[^:]*: it/, "So far it")
    : "Whether it helps at all is undecided.";
}

/** Among several benchmarks a finding that does not stand decides nothing. */
export function decisionAmong(
  { decision: alone }: BenchmarkSummary,
  benchmarks: number,
): BenchDecision | null {
  if (alone === null || alone.action === "fix first") return alone;
  return decision(
    "add runs",
    `Add runs before you decide: among ${benchmarks} benchmarks this one may be chance.`,
  );
}

/** More runs where they would do, otherwise more cases. */
function addMore(
  { cases, runs, runsNeeded, otherCases }: ArmComparison["passRate"],
  sides: ArmSides,
  adaptive: AdaptiveBenchmark | null,
): BenchDecision {
  const made = Math.floor(Math.min(runs.treatment, runs.baseline) / Math.max(1, cases));
  if (runsNeeded === null || (adaptive?.givenUpAt ?? null) !== null) {
    const moreCases = Math.max(1, (otherCases.casesNeeded ?? cases + 1) - cases);
    return {
      ...decision(
        "add cases",
        `Add about ${plural(moreCases, "case")}: more runs of these are unlikely to decide it.`,
      ),
      moreCases,
    };
  }
  const each = Math.max(1, runsNeeded - made);
  const moreRuns = 2 * each * cases;
  const costUsd = costOf(sides, each * cases);
  const price = costUsd === null ? "" : `, about ${money(costUsd)}`;
  return {
    ...decision(
      "add runs",
      `Add about ${each} more ${each === 1 ? "run" : "runs"} of each case on each side (${plural(moreRuns, "run")} in all${price}): --runs ${runsNeeded} --resume.`,
    ),
    moreRuns,
    costUsd,
  };
}

/** Of so many more runs in each arm; null where no run's cost is known. */
function costOf({ treatment, baseline }: ArmSides, runs: number): number | null {
  const each = [treatment, baseline].map((arm) =>
    mean(countedRuns(arm).flatMap(({ costUsd }) => costUsd ?? [])),
  );
  const [here = null, there = null] = each;
  return here === null || there === null ? null : runs * (here + there);
}

function decision(action: BenchDecision["action"], text: string): BenchDecision {
  return { action, moreRuns: null, costUsd: null, moreCases: null, text };
}
