import type { Iteration } from "../domain/iteration.ts";
import { countsAs } from "../domain/run.ts";
import type { CaseSummary, Missing, VariantSummary } from "../domain/summary.ts";
import { plural } from "../lib/plural.ts";
import { leftOutTotal } from "./missing.ts";
import { brokeOffText, leftOutText } from "./run-counts.ts";

/** What looks wrong. */
export interface Alarm {
  readonly kind:
    | "no result"
    | "dead arm"
    | "broke off"
    | "all broke off"
    | "never loaded"
    | "saturated"
    | "out of reach";
  readonly text: string;
}

/** The cases are to blame, not the set-up. */
export function isOfCases({ kind }: Alarm): boolean {
  return kind === "saturated" || kind === "out of reach";
}

/** Results that a broken set-up produces more often than a skill does: said out loud instead of shown as numbers. */
export function alarmsOf({
  variants,
  cases,
  missing,
  skill,
}: {
  readonly variants: readonly VariantSummary[];
  readonly cases: readonly CaseSummary[];
  readonly missing: Missing;
  readonly skill: Iteration["skill"];
}): Alarm[] {
  const trials = cases.flatMap((one) => one.trials);
  const cut = missing.notRun + (missing.leftOut["interrupted"] ?? 0);
  if (cut < trials.length && leftOutTotal(missing) >= trials.length)
    return [
      {
        kind: "no result",
        text: `no trial produced a result; see: assay show ${cases[0]?.caseId ?? ""}`.trimEnd(),
      },
    ];
  const broken = allBrokenOff(variants, cases);
  const ofArms =
    broken.length > 0
      ? broken
      : variants.flatMap((variant) => [
          ...deadArm(variant, variants),
          ...brokenOff(variant, cases),
          ...neverLoaded(variant),
        ]);
  return [
    ...ofArms,
    ...(skill === null ? [] : saturated(cases)),
    ...(ofArms.length > 0 ? [] : outOfReach(variants)),
  ];
}

/** One arm has results, this one has none. */
function deadArm(arm: VariantSummary, all: readonly VariantSummary[]): Alarm[] {
  const { variant, counted, leftOut } = arm;
  const isStopped = Object.keys(leftOut).every((status) => status === "interrupted");
  if (counted > 0 || isStopped || all.every((other) => other.counted === 0)) return [];
  return [
    {
      kind: "dead arm",
      text: `no ${variant} run counts (${leftOutText(arm)}): nothing to compare`,
    },
  ];
}

/** Said once: two arms in which nothing works have one cause. */
function allBrokenOff(variants: readonly VariantSummary[], cases: readonly CaseSummary[]): Alarm[] {
  const ended = variants.filter(({ counted }) => counted > 0);
  if (ended.length < 2 || ended.some((one) => brokenIn(one) < one.counted)) return [];
  const arms = ended.map(({ variant, brokeOff }) => `${variant}: ${brokeOffText(brokeOff)}`).join("; ");
  return [
    {
      kind: "all broke off",
      text: `no run finished (${arms}): the agent never finished its work${lastWords(cases)}`,
    },
  ];
}

function brokenIn({ brokeOff }: VariantSummary): number {
  return Object.values(brokeOff).reduce((sum, count) => sum + count, 0);
}

/** What the first run that broke off said about it. */
function lastWords(cases: readonly CaseSummary[]): string {
  const outcome = cases
    .flatMap(({ trials }) => trials)
    .map((trial) => trial.outcome)
    .find((one) => countsAs(one) === "failed" && "message" in one && one.message !== "");
  if (outcome === undefined || !("message" in outcome)) return "";
  const words = outcome.message.replaceAll(/\s+/g, " ").trim();
  return `; the first said: ${words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)}…` : words}`;
}

const MOST_WORDS = 200;

/** What breaks off says more of the set-up than of the skill. */
function brokenOff(arm: VariantSummary, cases: readonly CaseSummary[]): Alarm[] {
  const { variant, counted, failing, brokeOff } = arm;
  const broken = brokenIn(arm);
  if (broken < 2 || 2 * broken < failing) return [];
  const whole =
    broken === counted
      ? `no ${variant} run finished`
      : `${broken} of ${failing} failing ${variant} runs did not finish`;
  return [
    {
      kind: broken === counted ? "all broke off" : "broke off",
      text: `${whole} (${brokeOffText(brokeOff)}): the agent never got to the end, so this says little about the skill${lastWords(cases.filter((one) => one.variant === variant))}`,
    },
  ];
}

function neverLoaded({ variant, over, counted, loaded }: VariantSummary): Alarm[] {
  if (over === "trigger" || loaded !== 0) return [];
  return [
    {
      kind: "never loaded",
      text: `the skill was never loaded in ${plural(counted, `${variant} run`)}: this does not measure the skill; its description may not say when to use it`,
    },
  ];
}

function saturated(cases: readonly CaseSummary[]): Alarm[] {
  const baselines = cases.filter((one) => one.variant === "without_skill" && isHeldToChecks(one));
  if (baselines.length === 0 || baselines.some((one) => one.checks.rate !== 1)) return [];
  return [
    {
      kind: "saturated",
      text: "every check passes without the skill too: these cases cannot show what the skill adds",
    },
  ];
}

function outOfReach(variants: readonly VariantSummary[]): Alarm[] {
  const arms = variants.filter(({ over }) => over === "task");
  if (arms.length < 2 || arms.some(({ checks }) => checks.total === 0 || checks.passed > 0)) return [];
  return [
    {
      kind: "out of reach",
      text: "no check passes in any run on either side: these cases are too hard, or their checks are broken",
    },
  ];
}

/** Also where no run of it could be counted: such a case might still show what the skill adds. */
function isHeldToChecks({ checks, trials }: CaseSummary): boolean {
  return checks.total > 0 || trials.some(({ outcome }) => countsAs(outcome) === "left-out");
}
