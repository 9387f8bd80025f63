import type { Run } from "../domain/run.ts";
import type { Spending } from "../domain/summary.ts";
import { sumUsage } from "../domain/usage.ts";
import { plural } from "../lib/plural.ts";
import { timeOf } from "./costs.ts";
import type { Evaluated } from "./evaluated.ts";
import { money, usageText } from "./text.ts";

/** Every attempt counts where it was made; a run that was taken over was paid for elsewhere. */
export function spendingOf({ runs, ends }: Pick<Evaluated, "runs" | "ends">): Spending {
  const counted = Array.from(runs.values(), ({ run }) => run);
  const made = (ends?.map(({ run }) => run) ?? counted).filter(({ reusedFrom }) => reusedFrom === null);
  const reused = counted.filter(({ reusedFrom }) => reusedFrom !== null);
  return {
    made: { ...totalOf(made), ...unpricedIn(made) },
    replaced: totalOf(ends === undefined ? [] : without(made, counted)),
    reused: {
      runs: reused.length,
      usage: sumUsage(reused.map(({ usage }) => usage)),
      durationMs: timeOf(reused),
    },
  };
}

function without(made: readonly Run[], counted: readonly Run[]): Run[] {
  const known = new Set(counted);
  return made.filter((run) => !known.has(run));
}

/** Where all or none are unknown, the sum says so. */
function unpricedIn(runs: readonly Pick<Run, "usage">[]): Pick<Spending["made"], "unpriced"> {
  let unpriced = 0;
  for (const { usage } of runs) if (usage.costUsd === null) unpriced++;
  return unpriced === 0 || unpriced === runs.length ? {} : { unpriced };
}

function totalOf(runs: readonly Pick<Run, "usage">[]): Spending["made"] {
  return { attempts: runs.length, usage: sumUsage(runs.map(({ usage }) => usage)) };
}

export function addSpending(all: readonly Spending[]): Spending {
  const add = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  const unpriced = add(all.map(({ made }) => made.unpriced ?? 0));
  return {
    made: {
      attempts: add(all.map(({ made }) => made.attempts)),
      usage: sumUsage(all.map(({ made }) => made.usage)),
      ...(unpriced > 0 && { unpriced }),
    },
    replaced: {
      attempts: add(all.map(({ replaced }) => replaced.attempts)),
      usage: sumUsage(all.map(({ replaced }) => replaced.usage)),
    },
    reused: {
      runs: add(all.map(({ reused }) => reused.runs)),
      usage: sumUsage(all.map(({ reused }) => reused.usage)),
      durationMs: timeOf(all.map(({ reused }) => reused)),
    },
  };
}

/** What was spent, with the part of it that went into attempts which are not in the numbers. */
export function spentText({ made, replaced, reused }: Spending): string {
  const total = made.attempts === 0 && reused.runs > 0 ? "nothing spent" : madeText(made);
  if (replaced.attempts === 0) return total;
  const cost = replaced.usage.costUsd === null ? "" : `${money(replaced.usage.costUsd)} of it `;
  return `${total} (${cost}in ${plural(replaced.attempts, "attempt")} that did not count)`;
}

function madeText({ attempts, usage, unpriced = 0 }: Spending["made"]): string {
  if (unpriced === 0) return usageText(usage);
  return `${usageText(usage)} in ${attempts - unpriced} of ${plural(attempts, "run")}, the others do not say`;
}

/** Null where nothing was taken over. */
export function reusedText({ reused }: Pick<Spending, "reused">): string | null {
  if (reused.runs === 0) return null;
  const { costUsd } = reused.usage;
  return `reused ${plural(reused.runs, "run")}${costUsd === null ? "" : `, saved about ${money(costUsd)}`}`;
}
