import { createHash } from "node:crypto";
import type { Check } from "../../domain/check.ts";
import type { Case } from "../../domain/suite.ts";
import type { Variant } from "../../domain/trial.ts";
import { decidedChecks } from "../../domain/verdict.ts";
import type { Decided } from "../../stats/comparable.ts";
import type { Evaluated } from "../evaluated.ts";
import { type Arm, armOf, holdsTo } from "./arm.ts";

/** How a skill last did when it was fine: each run of each check, by case. */
export interface KnownGood {
  readonly harness: string;
  readonly model: string | null;
  readonly iteration: number;
  /** ISO 8601. */
  readonly at: string;
  readonly skill: string | null;
  readonly cases: Readonly<Record<string, KnownGoodCase>>;
}

/** By check. */
export type KnownGoodCase = Readonly<Record<string, KnownGoodCheck>>;

interface KnownGoodCheck {
  /** Digest of what it asks for: results of another check under the same id say nothing. */
  readonly asks: string;
  /** A letter for each run that counts, in order: passed, failed or (-) not decided. */
  readonly runs: string;
}

export function knownGoodOf(evaluated: Evaluated): KnownGood {
  const { iteration } = evaluated;
  const arm = armOf(evaluated, testedVariant(evaluated));
  const cases = evaluated.cases.filter((one) => one.kind === "task" && one.checks.length > 0);
  return {
    harness: iteration.harness,
    model: iteration.model,
    iteration: iteration.number,
    at: iteration.createdAt,
    skill: iteration.skill?.sha256 ?? null,
    cases: Object.fromEntries(cases.map((one) => [one.id, knownCase(one, arm)])),
  };
}

/** `new_skill` where two versions were compared. */
export function testedVariant({ trials }: Evaluated): Variant {
  return trials.some((trial) => trial.variant === "new_skill") ? "new_skill" : "with_skill";
}

export function decidedNow({ id }: Case, arm: Arm): readonly Decided[] {
  return (arm.runs.get(id) ?? []).map(({ verdicts }) => decidedChecks(verdicts));
}

/** Of the run at this place, from 0. */
export function decidedThen(then: KnownGoodCase, run: number): Decided {
  const letters = Object.entries(then).map(([id, { runs }]) => [id, runs[run]] as const);
  return new Map(
    letters.filter(([, one]) => one === "p" || one === "f").map(([id, one]) => [id, one === "p"]),
  );
}

export function digestOf(check: Check): string {
  const { origin: _, ...asks } = check;
  return createHash("sha256").update(JSON.stringify(asks)).digest("hex").slice(0, 16);
}

function knownCase(one: Case, arm: Arm): KnownGoodCase {
  const runs = decidedNow(one, arm);
  const letter = (passed: boolean | undefined) => (passed === undefined ? "-" : passed ? "p" : "f");
  const held = one.checks.filter((check) => holdsTo(check, arm.variant));
  return Object.fromEntries(
    held.map((check) => [
      check.id,
      { asks: digestOf(check), runs: runs.map((run) => letter(run.get(check.id))).join("") },
    ]),
  );
}
