import type { Trial } from "../domain/trial.ts";
import { groupBy } from "../lib/group-by.ts";
import { seededRandom } from "../stats/random.ts";
import { expectedSeconds, type RunHistory } from "./estimate.ts";

/**
 * Longest first, so that no long trial starts last; the variants of one case and repetition side by side and in
 * alternating order, so that a drift of the machine or of the service hits all of them alike.
 */
export function orderTrials(
  trials: readonly Trial[],
  { history, seed }: { readonly history: RunHistory; readonly seed: number },
): Trial[] {
  const random = seededRandom(seed);
  const blocks = groupBy(trials, ({ caseId, repetition }) => `${caseId}\n${repetition}`);
  const ranked = [...blocks.values()].map((block, position) => ({
    block: position % 2 === seed % 2 ? block : block.toReversed(),
    seconds: Math.max(...block.map((trial) => expectedSeconds(trial, history) ?? 0)),
    tieBreak: random(),
  }));
  ranked.sort((a, b) => b.seconds - a.seconds || a.tieBreak - b.tieBreak);
  return ranked.flatMap((entry) => entry.block);
}
