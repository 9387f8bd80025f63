import { ftruncateSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./atomic-file.ts";

/** A file of lines that only ever grows by whole lines. */
export interface AppendLog {
  /**
   * Resolves when the lines are in the file, and with `durable` when they outlast the machine. On failure nothing of
   * them stays behind, and a later append may succeed.
   */
  append(lines: string, options: { readonly durable: boolean }): Promise<void>;
  /** Waits for what was appended. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Opens or makes the file; a last line that a crash left unfinished is cut off. */
export async function openAppendLog(path: string): Promise<AppendLog> {
  const file = await open(path, "a+");
  let size: number;
  try {
    size = await cutUnfinishedLine(file);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.close();
    throw error;
  }
  let unsynced: Waiting[] = [];
  let syncing: Promise<void> | null = null;
  let broken: Error | null = null;

  /** Into the system's cache only, at once: nobody waits for the disk who need not. */
  function write(lines: string): void {
    if (broken !== null) throw broken;
    const bytes = Buffer.from(lines, "utf8");
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(file.fd, bytes, done);
    } catch (error) {
      takeBack();
      throw error;
    }
    size += bytes.length;
  }

  function takeBack(): void {
    try {
      ftruncateSync(file.fd, size);
    } catch (error) {
      lose(error);
    }
  }

  /** What is written during one sync goes out with the next: many writers share one. */
  async function sync(): Promise<void> {
    while (unsynced.length > 0) {
      const batch = unsynced;
      unsynced = [];
      try {
        if (broken !== null) throw broken;
        await file.datasync();
        for (const one of batch) one.resolve();
      } catch (error) {
        lose(error);
        for (const one of batch) one.reject(error);
      }
    }
    syncing = null;
  }

  /** After a failed sync or truncation nobody knows what is in the file; only opening it again can tell. */
  function lose(error: unknown): void {
    broken ??= error as Error;
  }

  return {
    append: async (lines, { durable }) => {
      write(lines);
      if (!durable) return;
      await new Promise<void>((resolve, reject) => {
        unsynced.push({ resolve, reject });
        syncing ??= sync();
      });
    },
    async close() {
      await syncing;
      lose(new Error(`${path} is closed`));
      await file.close();
    },
  };
}

/** For a file of lines; answers the size it then has. */
export async function cutUnfinishedLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const block = Buffer.alloc(65_536);
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const lineEnd = block.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (lineEnd !== -1) {
      end = start + lineEnd + 1;
      break;
    }
    end = start;
  }
  if (end < size) await file.truncate(end);
  return end;
}
