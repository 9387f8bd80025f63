import { copyFile, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import type { Harness } from "./harness.ts";

/** A conversation of an earlier trial that is to be gone on with. */
export interface KeptSession {
  /** What the client calls it. */
  readonly id: string;
  /** The client's own record of it: an absolute path on this machine. */
  readonly file: string;
}

/** A session beyond this is not kept: half of one cannot be resumed. */
const MOST_SESSION_BYTES = 20 * 1024 * 1024;

/**
 * Copies the client's record of its session out of the trial's home, before that is removed. `file` is its name in
 * `folder`; null where there is nothing to keep. Costs nothing for a harness that has no sessions.
 */
export async function keepSession(
  { sessionFile }: Pick<Harness, "sessionFile">,
  { id, home, folder }: { readonly id: string | null; readonly home: string; readonly folder: string | null },
  mostBytes: number = MOST_SESSION_BYTES,
): Promise<{ readonly file: string | null; readonly notes: readonly string[] }> {
  if (sessionFile === undefined || id === null || folder === null) return NOTHING;
  const found = await sessionFile(home, id);
  if (found === null || !(await isOwn(found, home))) return NOTHING;
  const { size } = await lstat(found);
  if (size > mostBytes) {
    return {
      file: null,
      notes: [`the agent's session was not kept: its ${size} bytes are more than ${mostBytes}`],
    };
  }
  const file = basename(found);
  await mkdir(folder, { recursive: true });
  await copyFile(found, join(folder, file));
  return { file, notes: [] };
}

const NOTHING = { file: null, notes: [] } as const;

/** The agent can write in its home, so a link there may lead anywhere. */
async function isOwn(path: string, home: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile()) return false;
  return (await realpath(path)).startsWith(`${await realpath(home)}${sep}`);
}

/** The first file below a folder whose name fits; links are not followed. */
export async function fileBelow(folder: string, fits: (name: string) => boolean): Promise<string | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries.find((entry) => entry.isFile() && fits(entry.name));
  return found === undefined ? null : join(found.parentPath, found.name);
}
