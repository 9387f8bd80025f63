import { createHash } from "node:crypto";
import type { LiftComparison } from "../../domain/benchmark.ts";
import type { Case } from "../../domain/suite.ts";
import type { Gate } from "../../domain/summary.ts";
import type { Variant } from "../../domain/trial.ts";
import type { Evaluated } from "../evaluated.ts";
import { armOf, holdsTo, measuresByCase, passRateOf } from "./arm.ts";
import { compareLift } from "./compare-lift.ts";
import { points } from "./lift-text.ts";
import type { BenchOptions } from "./options.ts";

/** How a skill last did when it was fine: the scores of each run, by case. */
export interface KnownGood {
  readonly harness: string;
  readonly model: string | null;
  readonly iteration: number;
  /** ISO 8601. */
  readonly at: string;
  readonly skill: string | null;
  readonly cases: Readonly<Record<string, KnownGoodCase>>;
}

interface KnownGoodCase {
  /** Of the checks: scores on other checks say nothing. */
  readonly checks: string;
  readonly scores: readonly number[];
}

const KNOWN_GOOD_GATE = "last known good";

export function knownGoodOf(evaluated: Evaluated): KnownGood {
  const { iteration } = evaluated;
  const variant = testedVariant(evaluated);
  const cases = evaluated.cases.filter((one) => one.kind === "task" && one.checks.length > 0);
  const scores = scoresOf(evaluated, variant);
  return {
    harness: iteration.harness,
    model: iteration.model,
    iteration: iteration.number,
    at: iteration.createdAt,
    skill: iteration.skill?.sha256 ?? null,
    cases: Object.fromEntries(
      cases.map((one) => [one.id, { checks: checksDigest(one, variant), scores: scores.get(one.id) ?? [] }]),
    ),
  };
}

export interface KnownGoodComparison {
  readonly comparison: LiftComparison;
  readonly gate: Gate;
}

/** The arm under test against how it once did. Cases whose checks have changed since then are left out and named. */
export function compareKnownGood(
  evaluated: Evaluated,
  good: KnownGood,
  { alpha, minEffect, maxDrop }: Pick<BenchOptions, "alpha" | "minEffect"> & { maxDrop: number | null },
): KnownGoodComparison {
  const variant = testedVariant(evaluated);
  const changed: string[] = [];
  const same = evaluated.cases.filter((one) => {
    const then = good.cases[one.id];
    if (then !== undefined && then.checks !== checksDigest(one, variant)) changed.push(one.id);
    return then?.checks === checksDigest(one, variant);
  });
  const scores = scoresOf(evaluated, variant);
  const comparison = compareLift(
    {
      treatment: new Map(same.map((one) => [one.id, scores.get(one.id) ?? []])),
      baseline: new Map(same.map((one) => [one.id, good.cases[one.id]?.scores ?? []])),
    },
    { alpha, minEffect, seed: evaluated.iteration.seed },
  );
  const drop = dropOf(comparison, maxDrop);
  const detail = [
    `against iteration-${good.iteration}: ${comparison.explanation}`,
    ...(drop === null
      ? []
      : [
          `The pass rate moved by ${points(comparison.lift ?? 0)} points and ${drop.allowed} are allowed${drop.confirmed ? "" : ", but so few runs do that by chance too"}.`,
        ]),
    ...(changed.length === 0 ? [] : [`Not compared, because their checks changed: ${changed.join(", ")}.`]),
  ].join(" ");
  const met = comparison.verdict !== "worse" && drop?.confirmed !== true;
  return { comparison, gate: { name: KNOWN_GOOD_GATE, caseId: null, met, detail } };
}

/** A drop beyond what is allowed; confirmed when chance alone would rarely make one as large. Null without one. */
function dropOf({ lift, pWorse, alpha }: LiftComparison, maxDrop: number | null) {
  if (maxDrop === null || lift === null || -lift <= maxDrop + 1e-9) return null;
  return { allowed: points(-maxDrop), confirmed: pWorse !== null && pWorse <= alpha };
}

/** `new_skill` where two versions were compared. */
function testedVariant({ trials }: Evaluated): Variant {
  return trials.some((trial) => trial.variant === "new_skill") ? "new_skill" : "with_skill";
}

function scoresOf(evaluated: Evaluated, variant: Variant): ReadonlyMap<string, readonly number[]> {
  return measuresByCase(armOf(evaluated, variant), evaluated.cases, (run, one) =>
    passRateOf(run, new Set(one.checks.map((check) => check.id))),
  );
}

function checksDigest({ checks }: Case, variant: Variant): string {
  const held = checks.filter((check) => holdsTo(check, variant));
  return createHash("sha256").update(JSON.stringify(held)).digest("hex").slice(0, 16);
}
