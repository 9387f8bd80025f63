import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface AtomicOptions {
  readonly mode?: number;
  /** False: safe against a crash of this process, but not of the machine; for what can be made again. Default: true. */
  readonly durable?: boolean;
}

/** Readers see the old content or the new, never a part; on failure the old content stays and nothing is left behind. */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  const durable = options.durable ?? true;
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const file = await open(temporary, "wx", options.mode ?? 0o666);
  try {
    try {
      await file.writeFile(content);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  if (durable) await syncFolder(dirname(path));
}

/** Makes created, renamed and removed names last; a no-op where folders cannot be synced, as on Windows. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, "r");
  } catch {
    return;
  }
  try {
    await folder.sync();
  } catch (error) {
    if (!UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await folder.close();
  }
}

const UNSUPPORTED = new Set(["EINVAL", "ENOTSUP", "EPERM", "EISDIR", "EBADF", "ENOSYS"]);
