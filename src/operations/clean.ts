import { type ForgottenAnswers, forgetAnswers } from "../engine/remembered-answers.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { flag, positive, wholeNumber } from "../options/kind.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import {
  planRemovals,
  type Removal,
  removeIteration,
  type Retention,
  storedIterations,
} from "../store/clean.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;
const DEFAULT_DAYS = 30;

/** What `clean` can be told. */
export const CLEAN_OPTIONS = {
  olderThanDays: option(
    "--older-than <days>",
    positive,
    "remove iterations last changed longer ago (default without another limit: 30)",
  ),
  keep: option("--keep <n>", wholeNumber(0), "keep only the newest n of each skill"),
  maxSizeMb: option("--max-size <mb>", positive, "remove the oldest until all together are smaller"),
  ...PLACE,
  cache: optionOr(
    "--cache",
    { kind: flag, otherwise: false },
    "forget the cached answers of judges, for all projects; keeps iterations unless a limit is given",
  ),
  dryRun: optionOr("--dry-run", { kind: flag, otherwise: false }, "only show what would be removed"),
};
export type CleanOptions = Given<typeof CLEAN_OPTIONS>;

export interface CleanDoor extends Door {
  /** Hears of each iteration as it goes; in a dry run, of each that would. */
  readonly on?: (removed: RemovedIteration) => void;
}

export interface RemovedIteration {
  readonly suite: string;
  readonly number: number;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** The bound that it was beyond. */
  readonly reason: Removal["reason"];
}

export interface Cleaning {
  /** The results folder, absolute. */
  readonly root: string;
  /** Nothing was removed. */
  readonly dryRun: boolean;
  /** The age in days that held because no bound was given; null: one was. */
  readonly defaultDays: number | null;
  /** Oldest first. */
  readonly removed: readonly RemovedIteration[];
  readonly left: { readonly iterations: number; readonly bytes: number };
  /** Judges' answers that were forgotten; null: nobody asked for that. */
  readonly answers: ForgottenAnswers | null;
}

/** Removes old iterations, never one that is running, and judges' answers where that is asked for. */
export async function clean(options: CleanOptions, { on, ...door }: CleanDoor): Promise<Cleaning> {
  const open = openDoor(door);
  const settled = settle(CLEAN_OPTIONS, options, sourcesOf(open));
  const root = resultsFolder(settled.workspace, open.machine);
  const { retention, defaultDays } = retentionOf(settled);
  const stored = await storedIterations(root);
  const removed: RemovedIteration[] = [];
  for (const { iteration, reason } of planRemovals(stored, retention, open.machine.now())) {
    if (open.signal.aborted) break;
    if (!settled.dryRun && !(await removeIteration(iteration))) continue;
    const { suite, number, folder, bytes } = iteration;
    const gone = { suite, number, path: folder.root, bytes, reason };
    removed.push(gone);
    on?.(gone);
  }
  const left = {
    iterations: stored.length - removed.length,
    bytes: sizeOf(stored) - sizeOf(removed),
  };
  const answers = settled.cache ? await forgetAnswers(open.machine, settled.dryRun) : null;
  return { root, dryRun: settled.dryRun, defaultDays, removed, left, answers };
}

function retentionOf({
  olderThanDays,
  keep,
  maxSizeMb,
  cache,
}: {
  olderThanDays: number | null;
  keep: number | null;
  maxSizeMb: number | null;
  cache: boolean;
}): { retention: Retention; defaultDays: number | null } {
  const none = olderThanDays === null && keep === null && maxSizeMb === null;
  const defaultDays = none && !cache ? DEFAULT_DAYS : null;
  const days = olderThanDays ?? defaultDays;
  return {
    retention: {
      maxAgeMs: days === null ? null : days * DAY_MS,
      keep,
      maxBytes: maxSizeMb === null ? null : maxSizeMb * MB,
    },
    defaultDays,
  };
}

function sizeOf(iterations: readonly { readonly bytes: number }[]): number {
  return iterations.reduce((sum, { bytes }) => sum + bytes, 0);
}
