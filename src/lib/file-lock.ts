import { randomUUID } from "node:crypto";
import {
  constants,
  copyFile,
  link,
  readdir,
  readFile,
  stat,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lifeOf, ownIdentity, type ProcessIdentity } from "./process-identity.ts";

export interface FileLock extends AsyncDisposable {
  release(): Promise<void>;
}

export interface LockHolder {
  readonly process: ProcessIdentity;
  /** Makes this one acquisition distinct from every other. */
  readonly token: string;
  /** ISO 8601. */
  readonly acquiredAt: string;
}

export type LockAttempt =
  | { readonly acquired: true; readonly lock: FileLock }
  | { readonly acquired: false; readonly holder: LockHolder | null };

/** The holder touches its file this often, for those who cannot look into its machine. */
const HEARTBEAT_MS = 10_000;
const SILENCE_MS = 5 * 60_000;
/** A takeover lasts milliseconds; a claim to one that is older was left by a crash. */
const CLAIM_MS = 3000;
const MAX_ROUNDS = 500;

/** Takes the lock, or says who has it. A lock whose holder is gone is taken over by exactly one of those who try. */
export async function acquireLock(path: string): Promise<LockAttempt> {
  const holder: LockHolder = {
    process: await ownIdentity(),
    token: randomUUID(),
    acquiredAt: new Date().toISOString(),
  };
  const own = `${path}.${holder.token}`;
  const say = () => writeFile(own, JSON.stringify(holder));
  await say();
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (await linked(own, path)) {
        await removeRivals(path);
        return { acquired: true, lock: held(path, holder.token) };
      }
      const current = await readHolder(path);
      if (current === "gone") {
        // Whoever had it may have removed what we wanted to link.
        await say();
        continue;
      }
      if (!(await isAbandoned(path, current, own))) return { acquired: false, holder: current };
      await removeAbandoned(path, current);
    }
    throw new Error(`the lock ${path} changes hands faster than it can be taken`);
  } finally {
    await unlink(own).catch(() => {});
  }
}

/** True while a living process, or one that cannot be looked at, has the lock. */
export async function isLocked(path: string): Promise<boolean> {
  const holder = await readHolder(path);
  if (holder === "gone") return false;
  if (holder === null) return true;
  const life = await lifeOf(holder.process);
  if (life !== "unknown") return life === "alive";
  const touched = await stat(path).catch(() => null);
  return touched !== null && Date.now() - touched.mtimeMs < SILENCE_MS;
}

function held(path: string, token: string): FileLock {
  const heartbeat = setInterval(() => {
    const moment = new Date();
    utimes(path, moment, moment).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const release = async () => {
    clearInterval(heartbeat);
    const holder = await readHolder(path);
    if (holder !== "gone" && holder?.token === token) await unlink(path).catch(() => {});
  };
  return { release, [Symbol.asyncDispose]: release };
}

/** Null: there is a file, but it does not say whose. */
async function readHolder(path: string): Promise<LockHolder | null | "gone"> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "gone";
    throw error;
  }
  try {
    const holder = JSON.parse(text) as LockHolder;
    return Number.isInteger(holder.process.pid) && typeof holder.token === "string" ? holder : null;
  } catch {
    return null;
  }
}

/** Ages are taken from two files of the same file system, so that the clocks of two machines need not agree. */
async function isAbandoned(path: string, holder: LockHolder | null, own: string): Promise<boolean> {
  const life = holder === null ? "unknown" : await lifeOf(holder.process);
  if (life !== "unknown") return life === "dead";
  const [touched, fresh] = await Promise.all([path, own].map((file) => stat(file).catch(() => null)));
  if (!touched || !fresh) return false;
  return fresh.mtimeMs - touched.mtimeMs > SILENCE_MS;
}

/**
 * Two that find the same abandoned lock must not both remove it, or the second would remove the first one's new lock.
 * The right to remove it is the name made from its token: only one can link it, and what it links is what it removes.
 */
async function removeAbandoned(path: string, holder: LockHolder | null): Promise<void> {
  const claim = `${path}.${holder?.token ?? "unreadable"}.claim`;
  if (!(await linked(path, claim))) {
    const claimed = await stat(claim).catch(() => null);
    if (claimed !== null && Date.now() - claimed.ctimeMs > CLAIM_MS) await unlink(claim).catch(() => {});
    await sleep(20);
    return;
  }
  const same = await readHolder(claim);
  if (same !== "gone" && same?.token === holder?.token) await unlink(path).catch(() => {});
  await unlink(claim).catch(() => {});
}

/** What killed processes left on their way to the lock. Whoever is still on the way finds that the lock is taken. */
async function removeRivals(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  for (const other of await readdir(folder)) {
    const isRival = other.startsWith(`${name}.`) && OF_RIVALS.test(other.slice(name.length));
    if (isRival) await unlink(join(folder, other)).catch(() => {});
  }
}

const OF_RIVALS = /^\.(?:[0-9a-f-]{36}|[\w-]+\.claim)$/;

/** False when the new name is taken, or the old one gone. Where there are no hard links, an exclusive copy must do. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.has(error.code ?? "")) throw error;
      return copyFile(from, to, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  }
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
