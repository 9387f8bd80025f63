import { appendFile } from "node:fs/promises";
import type { TrendLine } from "../domain/trend.ts";
import { readLines, toJsonLine } from "../lib/jsonl.ts";

/** One short write at the end of the file, so that runners beside each other do not mix their lines. */
export async function appendTrend(path: string, line: TrendLine): Promise<void> {
  await appendFile(path, toJsonLine(line));
}

/** The last word on each iteration, oldest iteration first; what cannot be read is left out. None without a file. */
export async function readTrend(path: string): Promise<readonly TrendLine[]> {
  const lines = new Map<number, TrendLine>();
  try {
    for await (const { text } of readLines(path)) {
      const line = parse(text);
      if (line !== null) lines.set(line.iteration, line);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return [...lines.values()].sort((a, b) => a.iteration - b.iteration);
}

function parse(text: string): TrendLine | null {
  try {
    const line = JSON.parse(text) as TrendLine | null;
    const usable = line?.schema === 1 && typeof line.iteration === "number" && typeof line.arms === "object";
    return usable ? line : null;
  } catch {
    return null;
  }
}
