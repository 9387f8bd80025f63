import { constants, copyFile, mkdir, readlink, symlink } from "node:fs/promises";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findChanges } from "./changes.ts";
import type { EntryKind } from "./layer.ts";
import type { Staged } from "./stage.ts";

/** What a setup script made of the workspace: from here on it is what the agent found. */
export interface SetupLayer {
  /** Holds copies of what the script wrote, at their paths in the workspace. */
  readonly directory: string;
  readonly entries: ReadonlyMap<string, EntryKind>;
  /** What had been staged and the script took away. */
  readonly deleted: ReadonlySet<string>;
  /** When the script had ended, by the file system's own clock, in nanoseconds. */
  readonly doneNs: bigint;
}

/** The same workspace with what is there now as the baseline. To be called once the script's processes are gone. */
export async function afterSetup(staged: Staged): Promise<Staged> {
  const { touched, notes } = await findChanges(staged);
  const directory = path.join(path.dirname(staged.ground.home), "after-setup");
  await mkdir(directory);
  const entries = new Map<string, EntryKind>();
  const deleted = new Set<string>();
  for (const { path: relative, change, kind, host } of touched) {
    if (change === "deleted") deleted.add(relative);
    else if (kind !== "special") {
      await copy(host, path.join(directory, relative), kind);
      entries.set(relative, kind);
    }
  }
  const setup = { directory, entries, deleted, doneNs: now(directory) };
  return { ...staged, setup, notes: [...staged.notes, ...notes.map((note) => `setup: ${note}`)] };
}

async function copy(host: string, to: string, kind: "file" | "link"): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  if (kind === "link") await symlink(await readlink(host), to);
  else await copyFile(host, to, constants.COPYFILE_FICLONE);
}

function now(directory: string): bigint {
  const marker = `${directory}.done`;
  writeFileSync(marker, "");
  return statSync(marker, { bigint: true }).ctimeNs;
}
