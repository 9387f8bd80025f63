import type { Edit } from "../edit.ts";

/** A round that is over, as history.json tells it. */
export interface Round {
  /** The N of vN; 0 is the skill as it was. */
  readonly version: number;
  readonly parent: number | null;
  readonly result: "baseline" | "won" | "lost" | "tie";
  /** The next versions start from it; of the baseline always true. */
  readonly adopted: boolean;
  readonly score: Score;
}

/** Shares of the checks that pass, each case counting the same; null where nothing was scored. */
export interface Score {
  readonly iteration: number;
  readonly all: number | null;
  readonly train: number | null;
  readonly heldOut: number | null;
}

/** A version as it was drafted; nothing in it changes later. */
export interface Draft {
  readonly version: number;
  readonly parent: number | null;
  readonly text: string;
  readonly summary: string;
  readonly edits: readonly Edit[];
}

export function bestVersion(rounds: readonly Round[]): number {
  return rounds.findLast(({ adopted }) => adopted)?.version ?? 0;
}

/** Rounds since something was last gained. */
export function roundsWithoutGain(rounds: readonly Round[]): number {
  return rounds.length - 1 - rounds.findLastIndex(({ adopted }) => adopted);
}

/** Held-out cases must not do worse. Without any, or without a score, nothing speaks against the version. */
export function regresses(now: Score, before: Score): boolean {
  return now.heldOut !== null && before.heldOut !== null && now.heldOut < before.heldOut - 1e-9;
}

/** How much less the held-out cases gained than those that were learnt from; null: no reason to worry, or nothing left to gain. */
export function overfitting(best: Score, baseline: Score): string | null {
  const gain = (part: "train" | "heldOut") => {
    const [now, before] = [best[part], baseline[part]];
    return now === null || before === null ? null : now - before;
  };
  const [train, heldOut] = [gain("train"), gain("heldOut")];
  if (train === null || heldOut === null || train <= 0 || heldOut > train - WORTH_A_WARNING) return null;
  if (best.heldOut === 1) return null;
  return `the cases it was improved on gained ${points(train)}, the held-out ones ${points(heldOut)}: it may have learnt the cases rather than the work`;
}

const WORTH_A_WARNING = 0.1;

function points(gain: number): string {
  return `${gain < 0 ? "-" : "+"}${Math.abs(Math.round(gain * 100))} points`;
}
