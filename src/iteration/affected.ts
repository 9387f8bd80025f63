import { kindOf } from "../domain/checks/index.ts";
import type { Change } from "../domain/change.ts";
import type { Plan, Repetition } from "../domain/plan.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import { groupBy } from "../lib/group-by.ts";
import type { IterationFolder } from "../store/layout.ts";
import type { FinishedTrial } from "../store/state.ts";
import { changesFor, type Then } from "./changes.ts";

/** What a change means for each trial of a plan. */
export interface Affected {
  /** The trials whose earlier run still says what a new one would, by the iteration that has it. */
  readonly takeOver: Repetition["takeOver"];
  readonly groups: readonly AffectedGroup[];
}

/** Cases that run, or do not, for the same reason. */
export interface AffectedGroup {
  readonly decision: "run" | "skip";
  readonly cases: readonly string[];
  /** What changed: for cases that run, only what can touch them. Empty: nothing did; null: no earlier run counts. */
  readonly changes: readonly Change[] | null;
  /** The iterations that have the earlier runs. */
  readonly iterations: readonly number[];
}

/** An earlier run of a trial, in the iteration of this number. */
export interface NewestRun {
  readonly number: number;
  readonly folder: IterationFolder;
  readonly finished: FinishedTrial;
  /** Null: how things were then is not known. */
  readonly start: Then["start"] | null;
}

export interface Looking {
  /** How things were when a run was made. */
  readonly thenOf: (start: Then["start"]) => Promise<Then>;
  /** The files of the skill that a run may have read; null: that cannot be seen. */
  readonly filesReadBy: (run: NewestRun) => Promise<ReadonlySet<string> | null>;
}

/** `counted` has the earlier run of each trial, by id. Decides by case, so that all repetitions of one are runs of the same skill. */
export async function affectedOf(
  plan: Plan,
  counted: ReadonlyMap<string, NewestRun>,
  looking: Looking,
): Promise<Affected> {
  const takenOver: { readonly id: string; readonly iteration: number }[] = [];
  const groups = new Map<string, AffectedGroup>();
  for (const { one, variant } of casesOf(plan)) {
    const trials = plan.trials.filter((trial) => trial.caseId === one.id && trial.variant === variant);
    const done = trials.flatMap((trial) => {
      const earlier = counted.get(trial.id);
      return earlier === undefined ? [] : [{ trial, earlier }];
    });
    const iterations = [...new Set(done.map(({ earlier }) => earlier.number))].toSorted((a, b) => a - b);
    const { touching, changes } = await changesOf({ one, done }, { plan, looking });
    if (touching.length > 0) {
      addTo(groups, one.id, { decision: "run", changes: touching, iterations });
      continue;
    }
    takenOver.push(...done.map(({ trial: { id }, earlier }) => ({ id, iteration: earlier.number })));
    if (done.length > 0) addTo(groups, one.id, { decision: "skip", changes, iterations });
    if (done.length < trials.length)
      addTo(groups, one.id, { decision: "run", changes: null, iterations: [] });
  }
  const byIteration = groupBy(takenOver, ({ iteration }) => iteration);
  const takeOver = [...byIteration].map(([iteration, all]) => ({
    iteration,
    trials: all.map(({ id }) => id),
  }));
  return { takeOver, groups: [...groups.values()] };
}

function casesOf({ suite, trials, variants }: Plan): readonly { one: Case; variant: Variant }[] {
  return suite.cases
    .flatMap((one) => variants.map((variant) => ({ one, variant })))
    .filter(({ one, variant }) =>
      trials.some((trial) => trial.caseId === one.id && trial.variant === variant),
    );
}

interface CaseChanges {
  readonly changes: readonly Change[];
  /** Those of them that can touch the case. */
  readonly touching: readonly Change[];
}

async function changesOf(
  { one, done }: { one: Case; done: readonly { trial: Trial; earlier: NewestRun }[] },
  { plan, looking }: { plan: Plan; looking: Looking },
): Promise<CaseChanges> {
  const changes = new Map<string, Change>();
  const touching = new Map<string, Change>();
  for (const { trial, earlier } of done) {
    const { finished, start } = earlier;
    if (finished.trial.key === trial.key) continue;
    const found: readonly Change[] =
      start === null ? [{ kind: "unknown" }] : changesFor(trial, plan, await looking.thenOf(start));
    const read = found.some(isOfFile) ? await looking.filesReadBy(earlier) : null;
    for (const change of found) {
      changes.set(JSON.stringify(change), change);
      if (touches(change, one, read)) touching.set(JSON.stringify(change), change);
    }
  }
  return { changes: [...changes.values()], touching: [...touching.values()] };
}

/** Only of such a change does it matter what was read. */
function isOfFile(change: Change): boolean {
  return change.kind === "skill" && change.part === "file";
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
  { decision, changes, iterations }: Omit<AffectedGroup, "cases">,
): void {
  const key = JSON.stringify([decision, changes, iterations]);
  const cases = new Set([...(groups.get(key)?.cases ?? []), caseId]);
  groups.set(key, { decision, changes, iterations, cases: [...cases] });
}
