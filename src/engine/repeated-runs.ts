import type { Plan } from "../domain/plan.ts";
import { UserError } from "../domain/user-error.ts";
import type { Resuming, RunAgain } from "../iteration/resuming.ts";
import { plural } from "../lib/plural.ts";
import type { Machine, RepeatedRuns } from "../machine.ts";
import { aboutMoney, money } from "../report/text.ts";
import { harnesses } from "../run/harnesses/index.ts";
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
    costUsd: costOf(group.map(({ earlier }) => earlier)) ?? share(plan, group.length),
  }));
}

/** What going on with an iteration does, in lines. */
export function resumeNotes(
  plan: Plan,
  { resuming, number, cwd }: { resuming: Resuming; number: number; cwd: string },
): readonly string[] {
  const { reused, rechecked, again, open } = resuming;
  const saved = costOf(reused);
  const parts = [
    ...(reused.length === 0
      ? []
      : [
          `${plural(reused.length, "run")} reused${saved === null || saved === 0 ? "" : ` (saves about ${money(saved)})`}`,
        ]),
    ...(rechecked.length === 0 ? [] : [`${rechecked.length} of them graded again by changed checks`]),
    ...(again.length === 0
      ? []
      : [`${plural(again.length, "trial")} ${again.length === 1 ? "runs" : "run"} again`]),
    ...(open.length === 0 ? [] : [`${plural(open.length, "trial")} still to run`]),
  ];
  const { name } = plan.suite;
  return [
    `${name}: going on with iteration-${number}: ${parts.join(", ")}`,
    ...groupsOf(plan, again, cwd).map(
      ({ reason, trials, costUsd }) =>
        `${name}: ${reason}: ${plural(trials, "trial")} ${trials === 1 ? "runs" : "run"} again${aboutMoney(costUsd)}`,
    ),
  ];
}

/** Throws a UserError where paid runs would be made again and nobody agrees to that. */
export async function agreeToRepeat(
  all: readonly { readonly plan: Plan; readonly groups: readonly RepeatedRuns[] }[],
  { options, machine }: { options: Pick<RunOptions, "yes" | "replay">; machine: Machine },
): Promise<void> {
  const repeated = all.filter(({ plan }) => !options.replay && isPaid(plan)).flatMap(({ groups }) => groups);
  if (repeated.length === 0 || options.yes) return;
  const agreed = await machine.consent({ kind: "repeat-runs", repeated });
  if (agreed === true) return;
  throw agreed === null ? unasked(repeated) : refused();
}

function isPaid({ harness }: Plan): boolean {
  return harnesses.find(({ name }) => name === harness)?.free !== true;
}

function unasked(repeated: readonly RepeatedRuns[]): UserError {
  const groups = repeated.map(
    ({ suite, reason, trials, costUsd }) =>
      `${suite}: ${reason}: ${plural(trials, "trial")}${aboutMoney(costUsd)}`,
  );
  return new UserError(
    "run/repeats-paid-runs",
    `finished runs would be made and paid for again, and nobody has agreed to that: ${groups.join("; ")}`,
    {
      hint: "add --yes to run them again; --retry-errors runs only what was left out, --affected only what the change can touch",
    },
  );
}

function refused(): UserError {
  return new UserError("run/repeats-paid-runs", "repeating paid runs was refused, so nothing was run", {
    hint: "--retry-errors runs only what was left out, --affected only what the change can touch",
  });
}

/** What these runs cost when they were made; null where one of them does not say. */
function costOf(runs: readonly FinishedTrial[]): number | null {
  const costs = runs.map(({ run }) => run.usage.costUsd);
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

function share({ estimate }: Plan, trials: number): number | null {
  return estimate.costUsd === null || estimate.runs === 0
    ? null
    : (estimate.costUsd / estimate.runs) * trials;
}
