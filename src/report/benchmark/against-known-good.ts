import type { LiftComparison } from "../../domain/benchmark.ts";
import type { Case } from "../../domain/suite.ts";
import type { Gate } from "../../domain/summary.ts";
import { type CheckChange, checkChanges, type CheckedCase } from "../../stats/check-changes.ts";
import { comparableScores } from "../../stats/comparable.ts";
import { alphaAtLook } from "../../stats/looks.ts";
import { points, pText } from "../../stats/words.ts";
import type { Evaluated } from "../evaluated.ts";
import { type Arm, armOf, holdsTo } from "./arm.ts";
import { compareLift, type ScoredSides } from "./compare-lift.ts";
import {
  decidedNow,
  decidedThen,
  digestOf,
  type KnownGood,
  type KnownGoodCase,
  testedVariant,
} from "./known-good.ts";
import { lookOf } from "./look-of.ts";
import type { BenchmarkRules } from "./options.ts";

const KNOWN_GOOD_GATE = "last known good";

export interface KnownGoodComparison {
  readonly comparison: LiftComparison;
  /** Those that got worse beyond chance, over all of them. */
  readonly regressed: readonly CheckChange[];
  readonly gate: Gate;
}

/**
 * The arm under test against how it once did, on the checks that ask for the same and were decided on both sides. The mean
 * and the single checks share alpha.
 */
export function compareKnownGood(
  evaluated: Evaluated,
  good: KnownGood,
  { alpha, minEffect, maxDrop }: Pick<BenchmarkRules, "alpha" | "minEffect"> & { maxDrop: number | null },
): KnownGoodComparison {
  const arm = armOf(evaluated, testedVariant(evaluated));
  const { seed } = evaluated.iteration;
  const look = lookOf(evaluated);
  const both = evaluated.cases.flatMap((one) => {
    const then = good.cases[one.id];
    return then === undefined ? [] : [pairOf(one, then, arm)];
  });
  const comparison = compareLift(sidesOf(both), { alpha, minEffect, seed, look });
  const regressed = checkChanges(both, { alpha: alphaAtLook(look, alpha), seed }).checks.filter(
    ({ status }) => status === "worse",
  );
  const drop = dropOf(comparison, maxDrop);
  const changed = both.flatMap((one) => one.changed);
  const detail = [
    `against iteration-${good.iteration}: ${comparison.explanation}`,
    ...(drop === null
      ? []
      : [
          `The pass rate changed by ${points(comparison.lift ?? 0)} points and ${drop.allowed} are allowed${drop.confirmed ? `, which chance alone rarely does (p ${pText(drop.pWorse)} for a fall as large)` : ", but with so few runs, chance does that too"}.`,
        ]),
    ...(regressed.length === 0
      ? []
      : [`Worse beyond chance: ${regressed.map(textOf(evaluated)).join("; ")}.`]),
    ...(changed.length === 0
      ? []
      : [`Not compared, because the check itself changed: ${changed.join(", ")}.`]),
  ].join(" ");
  const met = comparison.verdict !== "worse" && drop?.confirmed !== true && regressed.length === 0;
  return { comparison, regressed, gate: { name: KNOWN_GOOD_GATE, caseId: null, met, detail } };
}

interface PairedCase extends CheckedCase {
  /** Checks that ask for something else now. */
  readonly changed: readonly string[];
}

function pairOf(one: Case, then: KnownGoodCase, arm: Arm): PairedCase {
  const asked = one.checks.filter((check) => holdsTo(check, arm.variant) && then[check.id] !== undefined);
  const same = asked.filter((check) => then[check.id]?.asks === digestOf(check));
  const runs = Math.max(0, ...same.map(({ id }) => then[id]?.runs.length ?? 0));
  return {
    caseId: one.id,
    checks: new Set(same.map(({ id }) => id)),
    before: Array.from({ length: runs }, (_, run) => decidedThen(then, run)),
    now: decidedNow(one, arm),
    changed: asked.filter((check) => !same.includes(check)).map(({ id }) => `${one.id} ${id}`),
  };
}

function sidesOf(both: readonly PairedCase[]): ScoredSides {
  const scored = both.map(({ caseId, checks, before, now }) => ({
    caseId,
    ...comparableScores(checks, now, before),
  }));
  return {
    treatment: new Map(scored.map(({ caseId, treatment }) => [caseId, treatment])),
    baseline: new Map(scored.map(({ caseId, baseline }) => [caseId, baseline])),
  };
}

function textOf({ cases }: Evaluated): (change: CheckChange) => string {
  return ({ caseId, checkId }) => {
    const check = cases.find(({ id }) => id === caseId)?.checks.find(({ id }) => id === checkId);
    return `${caseId}: ${check?.text ?? checkId}`;
  };
}

/** A drop beyond what is allowed; confirmed when chance alone would rarely make one as large. Null without one. */
function dropOf({ lift, pWorse, alpha }: LiftComparison, maxDrop: number | null) {
  if (maxDrop === null || lift === null || -lift <= maxDrop + 1e-9) return null;
  return { allowed: points(-maxDrop), pWorse: pWorse ?? 1, confirmed: pWorse !== null && pWorse <= alpha };
}
