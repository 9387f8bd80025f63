import type { Trial } from "../domain/trial.ts";
import { expectedSeconds, type RunHistory } from "./estimate.ts";

/**
 * Longest first, so that no long trial starts last; the variants of one case and repetition side by side and in
 * alternating order, so that a drift of the machine or of the service hits all of them alike.
 */
export function orderTrials(
  trials: readonly Trial[],
  { history, seed }: { readonly history: RunHistory; readonly seed: number },
): Trial[] {
  const blocks = groupBy(trials);
  const ranked = [...blocks.values()].map((block, position) => ({
    block: position % 2 === seed % 2 ? block : block.toReversed(),
    seconds: Math.max(...block.map((trial) => expectedSeconds(trial, history) ?? 0)),
    tieBreak: mix(seed, position),
  }));
  ranked.sort((a, b) => b.seconds - a.seconds || a.tieBreak - b.tieBreak);
  return ranked.flatMap((entry) => entry.block);
}

function groupBy(trials: readonly Trial[]): Map<string, Trial[]> {
  const blocks = new Map<string, Trial[]>();
  for (const trial of trials) {
    const key = `${trial.caseId}\n${trial.repetition}`;
    const block = blocks.get(key);
    if (block === undefined) blocks.set(key, [trial]);
    else block.push(trial);
  }
  return blocks;
}

/** A well-spread 32-bit number for each position, fixed by the seed. */
function mix(seed: number, position: number): number {
  let h = (seed ^ Math.imul(position + 1, 0x9e37_79b1)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35) >>> 0;
  return (h ^ (h >>> 16)) >>> 0;
}
