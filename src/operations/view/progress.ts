import { open } from "node:fs/promises";
import type { IterationEnd } from "../../domain/event.ts";
import type { IterationProgress } from "../../domain/pages.ts";
import { isLocked } from "../../lib/file-lock.ts";
import type { IterationFolder } from "../../store/layout.ts";

/** How far an iteration is, by its lock and the end of its journal; the journal itself may be large. */
export async function progressOf({
  journal,
  lock,
}: Pick<IterationFolder, "journal" | "lock">): Promise<IterationProgress> {
  if (await isLocked(lock).catch(() => false)) return "running";
  return (await lastEnd(journal)) ?? "broken-off";
}

async function lastEnd(path: string): Promise<IterationEnd | null> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const block = Buffer.alloc(Math.min(size, 4096));
    await file.read(block, 0, block.length, size - block.length);
    const last = block.toString("utf8").trimEnd().split("\n").at(-1) ?? "";
    const { kind, ended } = JSON.parse(last) as { kind?: unknown; ended?: unknown };
    return kind === "iteration-finished" && (ended === "complete" || ended === "interrupted") ? ended : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
