import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isTemporary } from "../lib/temporary-name.ts";

/** Removes what a killed runner had not finished writing in its iteration. Requires the iteration's lock. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isTemporary(entry.name)) await rm(path, { recursive: true, force: true });
    else if (entry.isDirectory() && !OF_AGENTS.has(entry.name)) await removeUnfinished(path);
  }
}

/** Whatever their names: what agents made is evidence. */
const OF_AGENTS: ReadonlySet<string> = new Set(["outputs", "inputs", "before", "session", "attempts"]);
