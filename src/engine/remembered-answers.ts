import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Machine } from "../machine.ts";
import { answersFolder } from "./user-folders.ts";

export interface ForgottenAnswers {
  /** Absolute; null where this machine has no place for them. */
  readonly folder: string | null;
  readonly count: number;
  readonly bytes: number;
}

/** Removes the answers of judges that are remembered for all projects; with `dryRun` only counts them. */
export async function forgetAnswers(machine: Machine, dryRun: boolean): Promise<ForgottenAnswers> {
  const folder = answersFolder(machine);
  if (folder === null) return { folder, count: 0, bytes: 0 };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => null)),
  );
  if (!dryRun) await rm(folder, { recursive: true, force: true });
  return { folder, count: files.length, bytes: sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0) };
}
