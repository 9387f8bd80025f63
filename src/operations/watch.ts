import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { loadOptions } from "../engine/load-suites.ts";
import { loadTargets } from "../load/load.ts";
import { type Given, settle } from "../options/table.ts";
import { TARGETS } from "../options/targets.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";

/** What `watchFiles` can be told. */
export const WATCH_OPTIONS = TARGETS;
export type WatchOptions = Given<typeof WATCH_OPTIONS>;

/** The files that decide what an evaluation of these targets does: skills, evals, and what cases stage. */
export interface WatchedFiles {
  readonly skills: number;
  readonly files: () => number;
  /**
   * Resolves with the absolute paths of what changed since the last answer, or since the watch began, once nothing moves any
   * more; also what changed while nobody asked. Rejects when the signal fires.
   */
  readonly next: (signal: AbortSignal) => Promise<readonly string[]>;
}

/** How often files are looked at: soon enough after a save, and next to no work. */
const LOOK_MS = 250;

/** Throws a UserError where there is nothing to watch. */
export async function watchFiles(options: WatchOptions, door: Door): Promise<WatchedFiles> {
  const open = openDoor(door);
  const { machine, config, signal } = open;
  const settled = settle(WATCH_OPTIONS, options, sourcesOf(open));
  const load = async (): Promise<readonly Suite[]> => {
    const wishes = { ...settled, strict: false, changed: null, plugins: config.plugins, signal };
    return (await loadTargets(settled.targets, loadOptions(wishes, machine))).suites;
  };
  const suites = await load();
  let roots = suites.flatMap(rootsOf);
  if (roots.length === 0)
    throw new UserError("watch/nothing", "no skill or eval file to watch", {
      hint: "pass a skill, or a directory with skills in it",
    });
  let known = await snapshotOf(roots);
  return {
    skills: suites.length,
    files: () => known.size,
    async next(stop) {
      for (;;) {
        await wait(LOOK_MS, undefined, { signal: stop });
        let now = await snapshotOf(roots);
        if (differences(known, now).length === 0) continue;
        now = await atRest(now, roots, stop);
        const changed = differences(known, now);
        // A file that cannot be read at the moment says nothing of where the others are.
        const found = (await load().catch(() => [])).flatMap(rootsOf);
        if (found.length > 0) roots = found;
        known = found.length > 0 ? await snapshotOf(roots) : now;
        if (changed.length > 0) return changed;
      }
    },
  };
}

function rootsOf({ skill, files, cases }: Suite): readonly string[] {
  const skillFiles = skill === null ? [] : [skill.layout === "directory" ? skill.root : skill.file];
  const staged = cases.flatMap((one) => [
    ...one.overlays,
    ...one.files.flatMap((file) => (file.kind === "path" ? (file.source ?? []) : [])),
  ]);
  return [...skillFiles, ...files.map(({ path }) => path), ...staged];
}

/** What tells one state of a file from another, by absolute path. */
type Snapshot = ReadonlyMap<string, string>;

async function snapshotOf(roots: readonly string[]): Promise<Snapshot> {
  const found = new Map<string, string>();
  for (const root of new Set(roots)) await look(root, found);
  return found;
}

async function look(path: string, found: Map<string, string>): Promise<void> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  if (stats === null || found.has(path)) return;
  if (!stats.isDirectory()) {
    found.set(path, `${stats.mtimeNs} ${stats.size} ${stats.ino}`);
    return;
  }
  const names = await readdir(path).catch(() => []);
  for (const name of names) if (!isOfTools(name)) await look(join(path, name), found);
}

/** What editors, package managers and Assay itself write beside a skill. */
function isOfTools(name: string): boolean {
  return /^(?:node_modules|__pycache__|\.git|\.assay)$|~$|^\.#|\.sw[a-z]$|^4913$/.test(name);
}

/** Editors write in steps: waits until two looks see the same. */
async function atRest(first: Snapshot, roots: readonly string[], signal: AbortSignal): Promise<Snapshot> {
  for (let before = first; ;) {
    await wait(LOOK_MS, undefined, { signal });
    const now = await snapshotOf(roots);
    if (differences(before, now).length === 0) return now;
    before = now;
  }
}

function differences(before: Snapshot, now: Snapshot): readonly string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path)).toSorted();
}
