import { isCanary } from "../domain/canary.ts";
import type { Case } from "../domain/suite.ts";
import type { Evidence, Verdict } from "../domain/verdict.ts";
import type { IterationState } from "../store/state.ts";

/** A check that did not hold in at least one run, with what showed it. */
export interface FailingCheck {
  /** `<case>/<check>`, unique in the iteration. */
  readonly id: string;
  readonly caseId: string;
  readonly prompt: string;
  readonly text: string;
  readonly failedRuns: number;
  readonly runs: number;
  /** Why it failed, one line for each of the first failing runs; written by agents and judges, so not to be trusted. */
  readonly evidence: readonly string[];
}

const MOST_EVIDENCE = 3;

/** The task checks that failed with the skill installed, in the order of the cases; `only` narrows to some cases. */
export function failingChecks(
  state: Pick<IterationState, "cases" | "trials" | "gradings">,
  only: ReadonlySet<string> | null = null,
): readonly FailingCheck[] {
  return state.cases
    .filter((one) => one.kind === "task" && !isCanary(one) && (only?.has(one.id) ?? true))
    .flatMap((one) => failingOf(one, verdictsOf(one, state)));
}

function verdictsOf(
  { id }: Case,
  { trials, gradings }: Pick<IterationState, "trials" | "gradings">,
): Verdict[] {
  return trials
    .filter(({ caseId, variant }) => caseId === id && BASELINES.every((baseline) => baseline !== variant))
    .flatMap((trial) => gradings.get(trial.id)?.verdicts ?? []);
}

const BASELINES = ["without_skill", "old_skill"];

function failingOf(one: Case, verdicts: readonly Verdict[]): FailingCheck[] {
  return one.checks.flatMap((check) => {
    const scored = verdicts.filter(({ checkId, status }) => checkId === check.id && status !== "unscored");
    const failed = scored.filter(({ status }) => status === "failed");
    if (failed.length === 0) return [];
    const runs = new Set(scored.map(({ trialId }) => trialId)).size;
    return [
      {
        id: `${one.id}/${check.id}`,
        caseId: one.id,
        prompt: promptText(one),
        text: check.text,
        failedRuns: new Set(failed.map(({ trialId }) => trialId)).size,
        runs,
        evidence: [...new Set(failed.map(evidenceLine))].slice(0, MOST_EVIDENCE),
      },
    ];
  });
}

export function promptText({ prompt }: Case): string {
  return prompt.kind === "turns" ? prompt.turns.join("\n") : prompt.args;
}

function evidenceLine({ reason, evidence }: Verdict): string {
  return [reason, ...evidence.map(evidenceText)].filter((part) => part !== "").join("; ");
}

function evidenceText(piece: Evidence): string {
  switch (piece.kind) {
    case "quote":
      return `found ${JSON.stringify(piece.text.slice(0, 400))}`;
    case "absence":
      return "nothing of the kind was found";
    default:
      return piece.text;
  }
}
