import { kindOf } from "../domain/checks/index.ts";
import type { Change } from "../domain/change.ts";
import { countsAs } from "../domain/run.ts";
import type { Plan } from "../domain/plan.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import { trialRef } from "../store/journal.ts";
import type { FinishedTrial, IterationState } from "../store/state.ts";
import { changesFor, type Then } from "./changes.ts";

/** What a change means for each trial of a plan. */
export interface Affected {
  /** Ids of the trials whose earlier run still says what a new one would. */
  readonly takeOver: readonly string[];
  readonly groups: readonly AffectedGroup[];
}

/** Cases that run, or do not, for the same reason. */
export interface AffectedGroup {
  readonly decision: "run" | "skip";
  readonly cases: readonly string[];
  /** What changed: for cases that run, only what can touch them. Empty: nothing did; null: there is no earlier run. */
  readonly changes: readonly Change[] | null;
}

export interface Looking {
  /** How things were when a run was made. */
  readonly thenOf: (start: Then["start"]) => Promise<Then>;
  /** The files of the skill that a run may have read; null: that cannot be seen. */
  readonly filesReadBy: (run: FinishedTrial, start: Then["start"]) => Promise<ReadonlySet<string> | null>;
}

/** Decides by case, so that all repetitions of one are runs of the same skill. */
export async function affectedOf(plan: Plan, state: IterationState, looking: Looking): Promise<Affected> {
  const takeOver: string[] = [];
  const groups = new Map<string, AffectedGroup>();
  for (const { one, variant } of casesOf(plan)) {
    const trials = plan.trials.filter((trial) => trial.caseId === one.id && trial.variant === variant);
    const done = trials.filter(({ id }) => hasRun(state.runs.get(id)));
    const { touching, changes } = await changesOf({ one, trials: done }, { plan, state, looking });
    if (touching.length > 0) {
      addTo(groups, one.id, { decision: "run", changes: touching });
      continue;
    }
    takeOver.push(...done.map(({ id }) => id));
    if (done.length > 0) addTo(groups, one.id, { decision: "skip", changes });
    if (done.length < trials.length) addTo(groups, one.id, { decision: "run", changes: null });
  }
  return { takeOver, groups: [...groups.values()] };
}

function casesOf({ suite, trials, variants }: Plan): readonly { one: Case; variant: Variant }[] {
  return suite.cases
    .flatMap((one) => variants.map((variant) => ({ one, variant })))
    .filter(({ one, variant }) =>
      trials.some((trial) => trial.caseId === one.id && trial.variant === variant),
    );
}

function hasRun(finished: FinishedTrial | undefined): boolean {
  return finished !== undefined && countsAs(finished.run.outcome) !== "left-out";
}

interface CaseChanges {
  readonly changes: readonly Change[];
  /** Those of them that can touch the case. */
  readonly touching: readonly Change[];
}

async function changesOf(
  { one, trials }: { one: Case; trials: readonly Trial[] },
  { plan, state, looking }: { plan: Plan; state: IterationState; looking: Looking },
): Promise<CaseChanges> {
  const changes = new Map<string, Change>();
  const touching = new Map<string, Change>();
  for (const trial of trials) {
    const earlier = state.runs.get(trial.id);
    if (earlier === undefined || earlier.trial.key === trial.key) continue;
    const start = state.madeUnder.get(trialRef(earlier.trial));
    const found: readonly Change[] =
      start === undefined ? [{ kind: "unknown" }] : changesFor(trial, plan, await looking.thenOf(start));
    const read = start === undefined ? null : await looking.filesReadBy(earlier, start);
    for (const change of found) {
      changes.set(JSON.stringify(change), change);
      if (touches(change, one, read)) touching.set(JSON.stringify(change), change);
    }
  }
  return { changes: [...changes.values()], touching: [...touching.values()] };
}

function touches(change: Change, one: Case, read: ReadonlySet<string> | null): boolean {
  if (change.kind !== "skill") return true;
  if (change.part === "file") return read === null || read.has(change.path);
  return change.part !== "description" || isAboutActivation(one);
}

/** Whether a skill fires is what its description decides. */
function isAboutActivation({ kind, checks }: Case): boolean {
  return kind === "trigger" || checks.some((check) => kindOf(check).reads === "activations");
}

function addTo(
  groups: Map<string, AffectedGroup>,
  caseId: string,
  { decision, changes }: Omit<AffectedGroup, "cases">,
): void {
  const key = JSON.stringify([decision, changes]);
  const cases = new Set([...(groups.get(key)?.cases ?? []), caseId]);
  groups.set(key, { decision, changes, cases: [...cases] });
}
