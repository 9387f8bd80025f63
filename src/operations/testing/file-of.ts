import { readFileSync } from "node:fs";
import { join } from "node:path";
import { outputPath } from "../../run/workspace/capture.ts";
import { runFolder } from "../../store/layout.ts";
import type { TestRun } from "./open-test.ts";

/** The text of a file that the run created or modified, by its path in the workspace; null: it did not, or it was too large to keep. */
export function fileOf({ run, folder, counts }: TestRun, path: string): string | null {
  const change = run.changes.find((one) => one.path === path && one.change !== "deleted");
  if (change === undefined || !change.captured) return null;
  const kept = counts ? runFolder(folder).outputs : join(folder, "files");
  return readFileSync(join(kept, outputPath(path)), "utf8");
}
