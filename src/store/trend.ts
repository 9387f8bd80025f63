import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Purpose } from "../domain/iteration.ts";
import type { TrendLine } from "../domain/trend.ts";
import { cutUnfinishedLine } from "../lib/append-log.ts";
import { readLines, toJsonLine } from "../lib/jsonl.ts";
import { nameFile } from "../lib/name-file.ts";
import { suiteFolder } from "./layout.ts";
import { readManifest } from "./manifest.ts";

/**
 * One short write at the end of the file, so that runners beside each other do not mix their lines. A line that a crash or a
 * full disk left unfinished is cut off: this one would be lost in it.
 */
export async function appendTrend(path: string, line: TrendLine): Promise<void> {
  const file = await open(path, "a+");
  try {
    await cutUnfinishedLine(file);
    await file.appendFile(toJsonLine(line));
  } catch (error) {
    throw nameFile(error, path);
  } finally {
    await file.close();
  }
}

/** The last word on each iteration, oldest iteration first; what cannot be read is left out. None without a file. */
export async function readTrend(path: string): Promise<readonly TrendLine[]> {
  const lines = new Map<number, ReadLine>();
  try {
    for await (const { text } of readLines(path)) {
      const line = parse(text);
      if (line !== null) lines.set(line.iteration, line);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const last = [...lines.values()].sort((a, b) => a.iteration - b.iteration);
  return Promise.all(
    last.map(async (line) => ({ ...line, purpose: line.purpose ?? (await purposeThen(path, line)) })),
  );
}

/** Of a line that was written before iterations had a purpose: what the iteration itself says, where it is still there. */
async function purposeThen(path: string, { iteration }: Pick<TrendLine, "iteration">): Promise<Purpose> {
  const { manifest } = suiteFolder(dirname(path)).iteration(iteration);
  return (await readManifest(manifest).catch(() => null))?.purpose ?? "run";
}

type ReadLine = Omit<TrendLine, "purpose"> & { readonly purpose?: Purpose };

function parse(text: string): ReadLine | null {
  try {
    const line = JSON.parse(text) as ReadLine | null;
    const usable = line?.schema === 1 && typeof line.iteration === "number" && typeof line.arms === "object";
    return usable ? line : null;
  } catch {
    return null;
  }
}
