import type { Edit } from "../edit.ts";
import type { Confirmation } from "./confirmation.ts";

/** A round that is over, as history.json tells it. What it says of versions guides the next draft; only a confirmation is a finding. */
export interface Round {
  /** The N of vN; 0 is the skill as it was. */
  readonly version: number;
  readonly parent: number | null;
  readonly result: "baseline" | "won" | "lost" | "tie";
  /** The next versions start from it; of the baseline always true. */
  readonly leads: boolean;
  /** So clearly behind after its first runs that the others were saved. */
  readonly dropped: boolean;
  readonly score: Score;
}

/** How a version did while it was explored. */
export interface Score {
  readonly iteration: number;
  /** The share of checks that pass on the cases to learn from, each case counting the same; null where nothing was scored. */
  readonly train: number | null;
}

/** A version as it was drafted; nothing in it changes later. */
export interface Draft {
  readonly version: number;
  readonly parent: number | null;
  readonly text: string;
  /** The other files that differ from the skill's own, by path; absent: none. */
  readonly files?: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly edits: readonly Edit[];
}

/** What history.json holds. */
export interface LoopRecord {
  readonly rounds: readonly Round[];
  readonly confirmations: readonly Confirmation[];
}

/** The version that the next draft starts from: the last that took the lead and was not then found worse. */
export function leadingVersion({ rounds, confirmations }: LoopRecord): number {
  const worse = new Set(
    confirmations.filter(({ found }) => found?.verdict === "worse").map(({ version }) => version),
  );
  return rounds.findLast(({ leads, version }) => leads && !worse.has(version))?.version ?? 0;
}

/** The newest version that was adopted, else the skill as it was. */
export function adoptedVersion({ confirmations }: Pick<LoopRecord, "confirmations">): number {
  return confirmations.findLast(({ adopted }) => adopted)?.version ?? 0;
}

/** Rounds since something was last gained. */
export function roundsWithoutGain(rounds: readonly Round[]): number {
  return rounds.length - 1 - rounds.findLastIndex(({ leads }) => leads);
}
