import { isCanary } from "../domain/canary.ts";
import type { Check } from "../domain/check.ts";
import type { ChecksTogether, Flip, FlipChange, Passed } from "../domain/flip.ts";
import { countsAs } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import { isRepeat } from "../domain/triggers.ts";
import { decidedChecks } from "../domain/verdict.ts";
import { checkChanges } from "../stats/check-changes.ts";
import type { Decided } from "../stats/comparable.ts";
import type { UnitStatus } from "../stats/confirm.ts";
import { runsToTell } from "../stats/runs-to-tell.ts";
import type { IterationState } from "../store/state.ts";

export interface Flips {
  readonly flips: readonly Flip[];
  /** Null: no check was decided on both sides. */
  readonly together: ChecksTogether | null;
}

/** The runs of one variant of one iteration. */
export interface ArmRuns {
  readonly state: IterationState;
  readonly variant: Variant;
}

/**
 * Check by check, known by case and id, in the order of the cases. What fails a build has to be more than chance, over all
 * checks that are looked at.
 */
export function flipsBetween(
  older: ArmRuns,
  newer: ArmRuns,
  {
    isWanted = () => true,
    alpha = 0.05,
  }: { readonly isWanted?: (caseId: string) => boolean; readonly alpha?: number } = {},
): Flips {
  const [before, after] = [sideOf(older), sideOf(newer)];
  const ids = [...new Set([...after.keys(), ...before.keys()])].filter(isWanted);
  const cases = ids.map((caseId) => pairOf(caseId, before.get(caseId), after.get(caseId)));
  const checked = cases.map(({ caseId, same, was, is }) => ({
    caseId,
    checks: same,
    before: was.runs,
    now: is.runs,
  }));
  const changes = checkChanges(checked, { alpha });
  const { together, checks } = changes;
  const found = new Map(checks.map((one) => [JSON.stringify([one.caseId, one.checkId]), one]));
  return {
    flips: cases.flatMap(({ caseId, all, was, is }) =>
      all.map((checkId) => {
        const tested = found.get(JSON.stringify([caseId, checkId]));
        const [then, now] = [was.checks.get(checkId), is.checks.get(checkId)];
        return {
          caseId,
          checkId,
          text: (now ?? then)?.text ?? "",
          change: tested === undefined ? incomparable(then, now) : CHANGES[tested.status],
          before: then === undefined ? null : passedIn(was.runs, checkId),
          after: now === undefined ? null : passedIn(is.runs, checkId),
          pValue: tested?.pValue ?? null,
        };
      }),
    ),
    together:
      together.status === "unknown" || together.change === null
        ? null
        : {
            change: CHANGES[together.status] as ChecksTogether["change"],
            difference: together.change,
            pValue: together.pValue,
            runsToTell: runsToTell(checked, changes, { alpha }),
          },
  };
}

/** The variant of an iteration that is the skill under test. */
export function testedVariant(trials: readonly Trial[]): Variant | null {
  const order: readonly Variant[] = ["with_skill", "new_skill", "old_skill", "inline", "without_skill"];
  return order.find((variant) => trials.some((trial) => trial.variant === variant)) ?? null;
}

const CHANGES: Readonly<Record<UnitStatus, FlipChange>> = {
  worse: "regressed",
  better: "fixed",
  moved: "moved",
  same: "same",
  unknown: "unscored",
};

/** One case's runs that count, and the checks that they were held to. */
interface Side {
  readonly checks: Map<string, CheckThere>;
  readonly runs: Decided[];
}

interface CheckThere {
  readonly text: string;
  /** What it asks for; the same id may ask for something else elsewhere. */
  readonly asks: string;
}

function sideOf({ state, variant }: ArmRuns): ReadonlyMap<string, Side> {
  const sides = new Map<string, Side>();
  const place = new Map(state.cases.map(({ id }, at) => [id, at]));
  const placeOf = ({ trial }: { readonly trial: Trial }) => place.get(trial.caseId) ?? -1;
  const counted = [...state.runs.values()]
    .filter(({ trial, run }) => trial.variant === variant && countsAs(run.outcome) !== "left-out")
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  for (const { trial } of counted) {
    const one = state.casesAsGraded.get(trial.id) ?? state.cases.find(({ id }) => id === trial.caseId);
    if (one !== undefined && (isCanary(one) || isRepeat(trial, one, state.iteration?.options ?? {})))
      continue;
    const side: Side = sides.get(trial.caseId) ?? { checks: new Map(), runs: [] };
    sides.set(trial.caseId, side);
    const verdicts = state.gradings.get(trial.id)?.verdicts ?? [];
    for (const { checkId, text } of verdicts) side.checks.set(checkId, thereOf(one, checkId, text));
    side.runs.push(decidedChecks(verdicts));
  }
  return sides;
}

function thereOf(one: Case | undefined, checkId: string, text: string): CheckThere {
  const check = one?.checks.find(({ id }) => id === checkId);
  const { origin: _, ...asks }: Partial<Check> = check ?? {};
  const query = one?.kind === "trigger" && one.prompt.kind === "turns" ? one.prompt.turns.join(" ") : null;
  return {
    text: query === null ? text : `${text}: ${JSON.stringify(query)}`,
    asks: JSON.stringify({ text, ...asks }),
  };
}

const NOTHING: Side = { checks: new Map(), runs: [] };

function pairOf(caseId: string, was: Side = NOTHING, is: Side = NOTHING) {
  const all = [...new Set([...is.checks.keys(), ...was.checks.keys()])];
  const same = all.filter((id) => {
    const [then, now] = [was.checks.get(id), is.checks.get(id)];
    return then !== undefined && then.asks === now?.asks;
  });
  return { caseId, all, was, is, same: new Set(same) };
}

function incomparable(then: CheckThere | undefined, now: CheckThere | undefined): FlipChange {
  if (then === undefined) return "new";
  return now === undefined ? "removed" : "changed";
}

function passedIn(runs: readonly Decided[], checkId: string): Passed {
  const decided = runs.flatMap((run) => run.get(checkId) ?? []);
  return { passed: decided.filter(Boolean).length, runs: decided.length };
}
