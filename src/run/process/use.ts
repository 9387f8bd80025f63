import { readFileSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Excess, TrialLimits } from "../../domain/limits.ts";
import { freeBytes, isFull } from "../../lib/free-bytes.ts";
import { type ProcessEntry, processes } from "./processes.ts";

/** What of the machine a program and all that it starts may use. */
export interface UseLimits extends Pick<TrialLimits, "memoryBytes" | "processes" | "diskBytes"> {
  /** Where what it writes to disk lies. */
  readonly folders: readonly WrittenFolder[];
}

export interface WrittenFolder {
  readonly path: string;
  /** Only what changed since, in milliseconds of the file system's clock, is its doing; 0: all of it. */
  readonly sinceMs: number;
}

/** There is no space left where it writes, whoever took it. */
export interface DiskFull {
  readonly full: string;
}

/** Watches over what one tree of processes uses. To be disposed of when it has ended. */
export interface UseWatch extends Disposable {
  /** The first limit that it passed, or that there is no space left for it; null: neither so far. */
  readonly excess: Excess | DiskFull | null;
  /** Looks for the last time at what stays when the processes are gone. */
  finalExcess(): Promise<Excess | DiskFull | null>;
}

/** `passed` is called once, at the first excess. */
export function watchUse(root: number, limits: UseLimits, passed: () => void): UseWatch {
  let excess: Excess | DiskFull | null = null;
  const disk = diskWatch(limits);
  const find = (found: Excess | DiskFull | null): void => {
    if (found === null || excess !== null) return;
    excess = found;
    passed();
  };
  const one: Watched = {
    look(children) {
      find(treeExcess(treeOf(root, children), limits));
      void disk.look().then(find);
    },
  };
  watched.add(one);
  schedule();
  return {
    get excess() {
      return excess;
    },
    async finalExcess() {
      excess ??= await disk.look();
      return excess;
    },
    [Symbol.dispose]: () => void watched.delete(one),
  };
}

interface Watched {
  look(children: ReadonlyMap<number, readonly ProcessEntry[]>): void;
}

/** One look at the process table serves all. */
const watched = new Set<Watched>();
let timer: NodeJS.Timeout | null = null;
let pauseMs = 500;

function schedule(): void {
  if (timer !== null || watched.size === 0) return;
  timer = setTimeout(() => {
    timer = null;
    lookAtAll();
    schedule();
  }, pauseMs);
  timer.unref();
}

/** Where there are many processes it looks less often, so that looking stays cheap; on a busy machine no less than else. */
function lookAtAll(): void {
  const before = process.cpuUsage();
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of processes()) {
    const beside = children.get(entry.parent);
    if (beside === undefined) children.set(entry.parent, [entry]);
    else beside.push(entry);
  }
  for (const one of watched) one.look(children);
  const { user, system } = process.cpuUsage(before);
  const wantedMs = ((user + system) / 1000) * PAUSE_PER_LOOK;
  pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, wantedMs));
}

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 2500;
const PAUSE_PER_LOOK = 200;

function treeOf(
  root: number,
  children: ReadonlyMap<number, readonly ProcessEntry[]>,
): readonly ProcessEntry[] {
  const found: ProcessEntry[] = [...(children.get(root) ?? [])];
  for (const entry of found) found.push(...(children.get(entry.pid) ?? []));
  return found;
}

function treeExcess(tree: readonly ProcessEntry[], limits: UseLimits): Excess | null {
  // The kernel may hold the number at the limit.
  if (sum(tree, ({ threads }) => threads) >= limits.processes)
    return { limit: "processes", most: limits.processes };
  const most = limits.memoryBytes;
  const resident = sum(tree, ({ residentPages }) => residentPages) * PAGE_BYTES;
  return resident > most && memoryOf(tree) > most ? { limit: "memory", most } : null;
}

/** What processes share counts once, which takes longer to find out. */
function memoryOf(tree: readonly ProcessEntry[]): number {
  return sum(tree, ({ pid, residentPages }) => {
    const shares = /^Pss:\s+(\d+) kB/mu.exec(textOf(`/proc/${pid}/smaps_rollup`) ?? "")?.[1];
    return shares === undefined ? residentPages * PAGE_BYTES : Number(shares) * 1024;
  });
}

const PAGE_BYTES = pageBytes();

/** The kernel tells each process in a list of pairs, where 6 stands for the size of a page. */
function pageBytes(): number {
  try {
    const pairs = new BigUint64Array(new Uint8Array(readFileSync("/proc/self/auxv")).buffer);
    const at = pairs.findIndex((word, index) => index % 2 === 0 && word === 6n);
    return Number(pairs[at + 1] ?? 4096n);
  } catch {
    return 4096;
  }
}

/** Free space tells cheaply when it is worth to add up files, which is slow. */
function diskWatch({ diskBytes, folders }: UseLimits): { look(): Promise<Excess | DiskFull | null> } {
  const [first] = folders;
  if (first === undefined) return { look: async () => null };
  let freeBefore = freeBytes(first.path);
  const setBack = clockSetBack();
  let looking: Promise<Excess | DiskFull | null> | null = null;
  const look = async (): Promise<Excess | DiskFull | null> => {
    const free = freeBytes(first.path);
    const backMs = setBack();
    const full = isFull(first.path) ? { full: first.path } : null;
    if (freeBefore - free < diskBytes / 2) return full;
    freeBefore = free;
    let used = 0;
    for (const { path, sinceMs } of folders)
      used += await writtenBytes({ path, sinceMs: sinceMs - backMs }, diskBytes - used);
    return used >= diskBytes ? { limit: "disk", most: diskBytes } : full;
  };
  return {
    look: async () => {
      looking ??= look().finally(() => (looking = null));
      return looking;
    },
  };
}

/**
 * Answers by how much at most the clock was set back, as far as it was asked. What was there before may then count too: a trial
 * is rather left out than given more than its limit.
 */
function clockSetBack(): () => number {
  const [startedAt, startedMs] = [Date.now(), performance.now()];
  let most = 0;
  return () => {
    const behind = performance.now() - startedMs - (Date.now() - startedAt);
    most = Math.max(most, behind);
    return most;
  };
}

/** Stops adding up when there is enough. What cannot be read counts for nothing. */
async function writtenBytes({ path, sinceMs }: WrittenFolder, enough: number): Promise<number> {
  let bytes = 0;
  const folders = [path];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const at = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(at);
      const found = entry.isFile() ? await lstat(at).catch(() => null) : null;
      if (found !== null && found.ctimeMs >= sinceMs) bytes += found.blocks * 512;
      if (bytes >= enough) return bytes;
    }
  }
  return bytes;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function sum<T>(all: readonly T[], value: (one: T) => number): number {
  return all.reduce((total, one) => total + value(one), 0);
}
