import { countsAs } from "../domain/run.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { IterationState } from "../store/state.ts";

/** How a check stands in an iteration: by most of its runs; `unsettled` when as many pass as fail, or none was scored. */
type Standing = "passed" | "failed" | "unsettled";

export interface Flip {
  readonly caseId: string;
  readonly checkId: string;
  readonly text: string;
  readonly change: FlipChange;
  /** Null: the check is not in that iteration. */
  readonly before: Standing | null;
  readonly after: Standing | null;
}

export type FlipChange = "regressed" | "fixed" | "new" | "removed" | "unsettled" | "same";

/** The runs of one variant of one iteration. */
export interface Arm {
  readonly state: IterationState;
  readonly variant: Variant;
}

/** Check by check, known by case and id, from the older runs to the newer, in the order of the cases. */
export function flipsBetween(older: Arm, newer: Arm): readonly Flip[] {
  const [before, after] = [standings(older), standings(newer)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const order = [...newer.state.cases, ...older.state.cases].map(({ id }) => id);
  const flips = keys.map((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const { caseId, checkId, text } = (is ?? was) as Standings;
    const [from, to] = [was?.standing ?? null, is?.standing ?? null];
    return { caseId, checkId, text, change: changeOf(from, to), before: from, after: to };
  });
  return flips.toSorted((a, b) => order.indexOf(a.caseId) - order.indexOf(b.caseId));
}

/** The variant of an iteration that is the skill under test. */
export function testedVariant(trials: readonly Trial[]): Variant | null {
  const order: readonly Variant[] = ["with_skill", "new_skill", "old_skill", "inline", "without_skill"];
  return order.find((variant) => trials.some((trial) => trial.variant === variant)) ?? null;
}

interface Standings {
  readonly caseId: string;
  readonly checkId: string;
  readonly text: string;
  readonly standing: Standing;
}

function standings({ state, variant }: Arm): ReadonlyMap<string, Standings> {
  const votes = new Map<string, { head: Omit<Standings, "standing">; passed: number; failed: number }>();
  for (const [id, { trial, run }] of state.runs) {
    if (trial.variant !== variant || countsAs(run.outcome) === "left-out") continue;
    for (const [checkId, verdicts] of byCheck(state.gradings.get(id)?.verdicts ?? [])) {
      const key = JSON.stringify([trial.caseId, checkId]);
      const head = { caseId: trial.caseId, checkId, text: verdicts[0]?.text ?? "" };
      const vote = votes.get(key) ?? { head, passed: 0, failed: 0 };
      votes.set(key, vote);
      if (verdicts.some(({ status }) => status === "failed")) vote.failed++;
      else if (verdicts.every(({ status }) => status === "passed")) vote.passed++;
    }
  }
  return new Map(
    [...votes].map(([key, { head, passed, failed }]) => [
      key,
      { ...head, standing: standingOf(passed, failed) },
    ]),
  );
}

/** A check on extracted entries has a verdict for each; it passes when all do. */
function byCheck(verdicts: readonly Verdict[]): ReadonlyMap<string, readonly Verdict[]> {
  const found = new Map<string, Verdict[]>();
  for (const verdict of verdicts)
    found.set(verdict.checkId, [...(found.get(verdict.checkId) ?? []), verdict]);
  return found;
}

function standingOf(passed: number, failed: number): Standing {
  if (passed === failed) return "unsettled";
  return passed > failed ? "passed" : "failed";
}

function changeOf(before: Standing | null, after: Standing | null): FlipChange {
  if (before === null) return "new";
  if (after === null) return "removed";
  if (before === after) return "same";
  if (before === "unsettled" || after === "unsettled") return "unsettled";
  return after === "failed" ? "regressed" : "fixed";
}
