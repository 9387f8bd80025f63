import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { acquireLock, isLocked } from "../lib/file-lock.ts";
import { foldersIn } from "./folders-in.ts";
import { listIterations, type NumberedIteration } from "./iterations.ts";
import { EARLIER, IMPORTS, type IterationFolder, iterationFolder } from "./layout.ts";

/** What to keep; null sets no bound. An iteration goes when any bound says so. */
export interface Retention {
  readonly maxAgeMs: number | null;
  /** The newest of each suite that stay. */
  readonly keep: number | null;
  /** Of all suites together; the oldest go first. */
  readonly maxBytes: number | null;
}

export interface StoredIteration {
  readonly suite: string;
  readonly number: number;
  readonly folder: IterationFolder;
  readonly bytes: number;
  /** When something was last written in it. */
  readonly changedAt: Date;
  readonly running: boolean;
}

export interface Removal {
  readonly iteration: StoredIteration;
  readonly reason: "age" | "count" | "size";
}

/** Pure. Oldest first. What is running always stays, and its size counts. */
export function planRemovals(
  stored: readonly StoredIteration[],
  retention: Retention,
  now: Date,
): readonly Removal[] {
  const oldestFirst = [...stored].sort(
    (a, b) => a.changedAt.getTime() - b.changedAt.getTime() || a.number - b.number,
  );
  const reasons = new Map<StoredIteration, Removal["reason"]>();
  for (const one of oldestFirst.filter(({ running }) => !running)) {
    if (retention.maxAgeMs !== null && now.getTime() - one.changedAt.getTime() > retention.maxAgeMs) {
      reasons.set(one, "age");
    } else if (retention.keep !== null && newerInSuite(one, stored) >= retention.keep) {
      reasons.set(one, "count");
    }
  }
  let bytes = oldestFirst.reduce((sum, one) => (reasons.has(one) ? sum : sum + one.bytes), 0);
  for (const one of oldestFirst) {
    if (retention.maxBytes === null || bytes <= retention.maxBytes) break;
    if (one.running || reasons.has(one)) continue;
    reasons.set(one, "size");
    bytes -= one.bytes;
  }
  return oldestFirst.flatMap((iteration) => {
    const reason = reasons.get(iteration);
    return reason === undefined ? [] : [{ iteration, reason }];
  });
}

/** Every iteration of every suite in an `.assay` folder, imports of other tools' results included. */
export async function storedIterations(root: string): Promise<readonly StoredIteration[]> {
  const found: StoredIteration[] = [];
  for (const suite of await suitesIn(root)) {
    for (const { number, folder } of await iterationsIn(join(root, suite))) {
      const { bytes, changedAt } = await measure(folder.root);
      found.push({ suite, number, folder, bytes, changedAt, running: await isLocked(folder.lock) });
    }
  }
  return found;
}

/** Relative to `root`. Imports lie one folder deeper, and beside each the imports that a newer one replaced. */
async function suitesIn(root: string): Promise<readonly string[]> {
  const imports = (await foldersIn(join(root, IMPORTS))).map((name) => `${IMPORTS}/${name}`);
  const own = (await foldersIn(root)).filter((name) => name !== IMPORTS);
  return [...own, ...imports.flatMap((name) => [name, `${name}/${EARLIER}`])];
}

async function iterationsIn(suite: string): Promise<readonly NumberedIteration[]> {
  if (basename(suite) !== EARLIER) return listIterations(suite);
  return (await foldersIn(suite)).flatMap((name) => {
    const [, number] = /^iteration-(\d{1,9})\.\d+$/.exec(name) ?? [];
    return number === undefined
      ? []
      : [{ number: Number(number), folder: iterationFolder(join(suite, name)) }];
  });
}

/** False when a runner took it up in the meantime, or it is gone. Others never see a half-removed iteration. */
export async function removeIteration({ folder }: Pick<StoredIteration, "folder">): Promise<boolean> {
  const attempt = await acquireLock(folder.lock).catch(() => null);
  if (attempt === null || !attempt.acquired) return false;
  const doomed = join(dirname(folder.root), `${REMOVING}${basename(folder.root)}-${Date.now()}`);
  try {
    await rename(folder.root, doomed);
  } finally {
    await attempt.lock.release();
  }
  await rm(doomed, { recursive: true, force: true, maxRetries: 3 });
  return true;
}

/** Finishes removals that a crash interrupted; answers how many there were. */
export async function finishRemovals(root: string): Promise<number> {
  let count = 0;
  for (const suite of await suitesIn(root)) {
    for (const name of (await foldersIn(join(root, suite))).filter((name) => name.startsWith(REMOVING))) {
      await rm(join(root, suite, name), { recursive: true, force: true, maxRetries: 3 });
      count++;
    }
  }
  return count;
}

const REMOVING = ".removing-";

function newerInSuite(one: StoredIteration, stored: readonly StoredIteration[]): number {
  return stored.filter((other) => other.suite === one.suite && other.number > one.number).length;
}

/** Links are counted as themselves and never followed. */
async function measure(root: string): Promise<{ bytes: number; changedAt: Date }> {
  let bytes = 0;
  let changedMs = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    bytes += file?.size ?? 0;
    changedMs = Math.max(changedMs, file?.mtimeMs ?? 0);
  }
  return { bytes, changedAt: new Date(changedMs === 0 ? (await stat(root)).mtimeMs : changedMs) };
}
