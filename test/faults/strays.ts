import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** An idle machine needs no more than a moment. */
const GRACE_MS = 30_000;

/** Processes that name the folder in their command line or environment; those that are just ending get a moment for it. */
export async function processesOf(folder: string): Promise<readonly string[]> {
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const found = processesNow(folder);
    if (found.length === 0 || performance.now() > deadline) return found;
    await wait(20);
  }
}

export function mountsBelow(folder: string): readonly string[] {
  return readOrEmpty("/proc/self/mounts")
    .split("\n")
    .filter((line) => line.includes(` ${folder}`))
    .map((line) => `mount ${line}`);
}

/** The same at this moment. */
export function processesNow(folder: string): readonly string[] {
  return numbersIn("/proc")
    .filter((pid) => pid !== String(process.pid))
    .filter((pid) =>
      ["environ", "cmdline"].some((file) => readOrEmpty(`/proc/${pid}/${file}`).includes(folder)),
    )
    .map(
      (pid) => `process ${pid}: ${readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 200)}`,
    );
}

function numbersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
