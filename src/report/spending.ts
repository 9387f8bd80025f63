import type { Run } from "../domain/run.ts";
import type { Spending } from "../domain/summary.ts";
import { sumUsage } from "../domain/usage.ts";
import { plural } from "../lib/plural.ts";
import type { Evaluated } from "./evaluated.ts";
import { money, usageText } from "./text.ts";

/** Every attempt counts where it was made; a run that was taken over was paid for elsewhere. */
export function spendingOf({ runs, ends }: Pick<Evaluated, "runs" | "ends">): Spending {
  const counted = new Set([...runs.values()].map(({ run }) => run));
  const made = (ends?.map(({ run }) => run) ?? [...counted]).filter(({ reusedFrom }) => reusedFrom === null);
  const replaced = made.filter((run) => !counted.has(run));
  const reused = [...counted].filter(({ reusedFrom }) => reusedFrom !== null);
  return {
    made: totalOf(made),
    replaced: totalOf(replaced),
    reused: { runs: reused.length, usage: sumUsage(reused.map(({ usage }) => usage)) },
  };
}

function totalOf(runs: readonly Pick<Run, "usage">[]): Spending["made"] {
  return { attempts: runs.length, usage: sumUsage(runs.map(({ usage }) => usage)) };
}

export function addSpending(all: readonly Spending[]): Spending {
  const add = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  return {
    made: {
      attempts: add(all.map(({ made }) => made.attempts)),
      usage: sumUsage(all.map(({ made }) => made.usage)),
    },
    replaced: {
      attempts: add(all.map(({ replaced }) => replaced.attempts)),
      usage: sumUsage(all.map(({ replaced }) => replaced.usage)),
    },
    reused: {
      runs: add(all.map(({ reused }) => reused.runs)),
      usage: sumUsage(all.map(({ reused }) => reused.usage)),
    },
  };
}

/** What was spent, with the part of it that went into attempts which are not in the numbers. */
export function spentText({ made, replaced, reused }: Spending): string {
  const total = made.attempts === 0 && reused.runs > 0 ? "nothing spent" : usageText(made.usage);
  if (replaced.attempts === 0) return total;
  const cost = replaced.usage.costUsd === null ? "" : `${money(replaced.usage.costUsd)} of it `;
  return `${total} (${cost}in ${plural(replaced.attempts, "attempt")} that did not count)`;
}

/** Null where nothing was taken over. */
export function reusedText({ reused }: Pick<Spending, "reused">): string | null {
  if (reused.runs === 0) return null;
  const { costUsd } = reused.usage;
  return `reused ${plural(reused.runs, "run")}${costUsd === null ? "" : `, saved about ${money(costUsd)}`}`;
}
