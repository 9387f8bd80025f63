import type { Plan } from "../domain/plan.ts";
import type { Trial } from "../domain/trial.ts";
import { UserError } from "../domain/user-error.ts";
import type { Resuming, RunAgain } from "../iteration/resuming.ts";
import { plural } from "../lib/plural.ts";
import type { Machine, RepeatedRuns } from "../machine.ts";
import { aboutMoney, money } from "../report/text.ts";
import { costOfTrials } from "../plan/estimate.ts";
import { isFree } from "../run/harnesses/index.ts";
import type { FinishedTrial } from "../store/state.ts";
import { changesText } from "./change-text.ts";
import type { RunOptions } from "./run-options.ts";

/** Trials that run again, by what changed for them. */
export function groupsOf(plan: Plan, again: readonly RunAgain[], cwd: string): readonly RepeatedRuns[] {
  const byReason = new Map<string, RunAgain[]>();
  for (const one of again) {
    const reason = changesText(one.changes, cwd);
    byReason.set(reason, [...(byReason.get(reason) ?? []), one]);
  }
  return [...byReason].map(([reason, group]) => ({
    suite: plan.suite.name,
    reason,
    trials: group.length,
    costUsd: costOfTrials(
      plan,
      group.map(({ trial }) => trial),
    ),
  }));
}

/** Trials that run again because nobody can tell any more how they ended. */
export function lostGroups(
  plan: Plan,
  lost: readonly Trial[],
  damagedLines: number,
): readonly RepeatedRuns[] {
  if (lost.length === 0) return [];
  return [
    {
      suite: plan.suite.name,
      reason: `the journal cannot be read at ${plural(damagedLines, "line")}, which may have held these runs`,
      trials: lost.length,
      costUsd: costOfTrials(plan, lost),
    },
  ];
}

/** What going on with an iteration does, in lines. */
export function resumeNotes({
  resuming,
  groups,
  suite,
  number,
}: {
  readonly resuming: Resuming;
  readonly groups: readonly RepeatedRuns[];
  readonly suite: string;
  readonly number: number;
}): readonly string[] {
  const { reused, rechecked, reopened, open } = resuming;
  const again = resuming.again.length + resuming.lost.length;
  const saved = costOf(reused);
  const parts = [
    ...(reused.length === 0
      ? []
      : [
          `${plural(reused.length, "run")} reused${saved === null || saved === 0 ? "" : ` (saves about ${money(saved)})`}`,
        ]),
    ...(rechecked.length === 0 ? [] : [`${rechecked.length} of them graded again by changed checks`]),
    ...(reopened.length === 0
      ? []
      : [`${reopened.length} of them graded again because verdicts were missing`]),
    ...(again === 0 ? [] : [`${plural(again, "trial")} ${again === 1 ? "runs" : "run"} again`]),
    ...(open.length === 0 ? [] : [`${plural(open.length, "trial")} still to run`]),
  ];
  return [
    `${suite}: continuing iteration-${number}: ${parts.join(", ")}`,
    ...groups.map(
      ({ reason, trials, costUsd }) =>
        `${suite}: ${reason}: ${plural(trials, "trial")} ${trials === 1 ? "runs" : "run"} again${aboutMoney(costUsd)}`,
    ),
  ];
}

/** Throws a UserError where paid runs would be made again and nobody agrees to that. */
export async function agreeToRepeat(
  all: readonly { readonly plan: Plan; readonly groups: readonly RepeatedRuns[] }[],
  { options, machine }: { options: Pick<RunOptions, "yes" | "replay">; machine: Machine },
): Promise<void> {
  const repeated = all
    .filter(({ plan }) => !options.replay && !isFree(plan.harness))
    .flatMap(({ groups }) => groups);
  if (repeated.length === 0 || options.yes) return;
  const agreed = await machine.consent({ kind: "repeat-runs", repeated });
  if (agreed === true) return;
  throw agreed === null ? unasked(repeated) : refused();
}

function unasked(repeated: readonly RepeatedRuns[]): UserError {
  const groups = repeated.map(
    ({ suite, reason, trials, costUsd }) =>
      `${suite}: ${reason}: ${plural(trials, "trial")}${aboutMoney(costUsd)}`,
  );
  return new UserError(
    "run/repeats-paid-runs",
    `finished runs would be repeated and paid for again, and nobody has approved that: ${groups.join("; ")}`,
    {
      hint: "add --yes to run them again; --retry-errors runs only what was left out, --affected only what your changes can affect",
    },
  );
}

function refused(): UserError {
  return new UserError("run/repeats-paid-runs", "repeating paid runs was refused, so nothing was run", {
    hint: "--retry-errors runs only what was left out, --affected only what your changes can affect",
  });
}

/** What these runs cost when they were made; null where one of them does not say. */
function costOf(runs: readonly FinishedTrial[]): number | null {
  const costs = runs.map(({ run }) => run.usage.costUsd);
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}
