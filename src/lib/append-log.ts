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
  readonly lines: string;
  readonly durable: boolean;
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
  let queue: Waiting[] = [];
  let draining: Promise<void> | null = null;
  let broken: Error | null = null;

  /** What queues up while one batch is being synced goes out with the next: many writers share one sync. */
  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await write(batch);
        for (const one of batch) one.resolve();
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    draining = null;
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (broken !== null) throw broken;
    const bytes = Buffer.from(batch.map((one) => one.lines).join(""), "utf8");
    try {
      await file.appendFile(bytes);
    } catch (error) {
      await file.truncate(size).catch(lose);
      throw error;
    }
    size += bytes.length;
    if (!batch.some((one) => one.durable)) return;
    await file.datasync().catch((error: unknown) => {
      lose(error);
      throw error;
    });
  }

  /** After a failed sync or truncation nobody knows what is in the file; only opening it again can tell. */
  function lose(error: unknown): void {
    broken = error as Error;
  }

  return {
    append: (lines, { durable }) =>
      new Promise((resolve, reject) => {
        queue.push({ lines, durable, resolve, reject });
        draining ??= drain();
      }),
    async close() {
      await draining;
      await file.close();
    },
  };
}

async function cutUnfinishedLine(file: FileHandle): Promise<number> {
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
