import { closeSync, fsync, openSync, renameSync, writeFileSync } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { nameFile } from "./name-file.ts";
import { temporaryFor } from "./temporary-name.ts";

export interface AtomicOptions {
  readonly mode?: number;
  /** False: safe against a crash of this process, but not of the machine; for what can be made again. Default: true. */
  readonly durable?: boolean;
  /** Where the file is until it is whole, on the same file system; absent: beside its place. */
  readonly madeIn?: string;
}

/** Readers see the old content or the new, never a part; on failure the old content stays and nothing is left behind. */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  const temporary = temporaryFor(path, options.madeIn);
  const mode = options.mode ?? 0o666;
  try {
    if (options.durable ?? true) await writeDurably({ path, temporary, content, mode });
    else writeQuickly({ path, temporary, content, mode });
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw nameFile(error, path);
  }
}

interface AtomicWrite {
  readonly path: string;
  readonly temporary: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

async function writeDurably({ path, temporary, content, mode }: AtomicWrite): Promise<void> {
  const file = openSync(temporary, "wx", mode);
  try {
    writeFileSync(file, content);
    await synced(file);
  } finally {
    closeSync(file);
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Into the system's cache only; done at once, that takes a third of the processor time of four asynchronous steps. */
function writeQuickly({ path, temporary, content, mode }: AtomicWrite): void {
  writeFileSync(temporary, content, { flag: "wx", mode });
  renameSync(temporary, path);
}

/** Makes created, renamed and removed names last; a no-op where folders cannot be synced, as on Windows. */
export async function syncFolder(path: string): Promise<void> {
  let folder: number;
  try {
    folder = openSync(path, "r");
  } catch {
    return;
  }
  try {
    await synced(folder);
  } catch (error) {
    if (!UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? "")) throw nameFile(error, path);
  } finally {
    closeSync(folder);
  }
}

/** Only the disk is worth waiting for elsewhere: opening, writing and closing is done sooner than handed on. */
export function synced(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(file, (error) => (error === null ? resolve() : reject(error)));
  });
}

const UNSUPPORTED = new Set(["EINVAL", "ENOTSUP", "EPERM", "EISDIR", "EBADF", "ENOSYS"]);
