import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const hasEnded = (screen: string): boolean => /^exit \d+$/m.test(screen);
export const bars = (screen: string): number => screen.match(/[█░]{4,}/g)?.length ?? 0;

/** Screens that a person has read; UPDATE_GOLDEN writes them anew. What the clock decides is masked. */
export async function expectScreen(name: string, screen: string): Promise<void> {
  const file = join(dirname(fileURLToPath(import.meta.url)), "screens", `${name}.txt`);
  const masked = `${sortedTrials(screen)
    .replaceAll(/ \d+:\d\d /g, " 0:00 ")
    .replaceAll(/ {2,}time$/gm, "   time")
    .replaceAll(/(under 1|about \d+) min left/g, "under 1 min left")
    .replaceAll(/(?<gap> {1,2}) *(\d+ min )?\d+(\.\d)? s\b/g, "$<gap>0.0 s")}\n`;
  if (process.env["UPDATE_GOLDEN"] !== undefined) await writeFile(file, masked);
  expect(masked).toBe(await readFile(file, "utf8"));
}

/** Which of two trials began first, or was stopped first, is chance. */
function sortedTrials(screen: string): string {
  const isOf = (line: string) => /^ {2}• |: the run was interrupted$/.test(line);
  const lines = screen.split("\n");
  const trials = lines.filter(isOf).toSorted();
  return lines.map((line) => (isOf(line) ? trials.shift() : line)).join("\n");
}
