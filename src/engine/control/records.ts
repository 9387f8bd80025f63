import { lstat, readdir, readlink, rmdir, symlink, unlink } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { makeFolder } from "../../lib/make-folder.ts";
import { projectFolder } from "../../store/layout.ts";
import { CONTROL_PROTOCOL, type RunningRecord } from "./message.ts";

/** A record and where it lies. */
export interface FoundRecord {
  readonly path: string;
  /** Null: another version of Assay made it, or somebody else. */
  readonly record: RunningRecord | null;
}

const NAME = /^v(\d+)-(\d+)-([0-9a-f]+)$/;

/** A link to the socket, which is there whole or not at all, whenever the call is killed. */
export async function writeRecord(
  results: string,
  { protocol, pid, id, socket }: RunningRecord,
): Promise<string> {
  const { running } = projectFolder(results);
  await makeFolder(running);
  const path = join(running, `v${protocol}-${pid}-${id}`);
  await symlink(socket, path);
  return path;
}

/** Those that this user made: nobody else is led to a socket of theirs. */
export async function findRecords(results: string): Promise<readonly FoundRecord[]> {
  const { running } = projectFolder(results);
  const names: readonly string[] = await readdir(running).catch(() => []);
  const found = await Promise.all(
    names.map(async (name): Promise<readonly FoundRecord[]> => {
      const path = join(running, name);
      const held = await lstat(path).catch(() => null);
      if (held === null || (process.getuid !== undefined && held.uid !== process.getuid())) return [];
      return [{ path, record: recordOf(name, await readlink(path).catch(() => "")) }];
    }),
  );
  return found.flat();
}

/** Folders that hold nothing else go with the last of them. */
export async function removeRecord(path: string, results: string): Promise<void> {
  await unlink(path).catch(() => {});
  await rmdir(projectFolder(results).running)
    .then(() => rmdir(results))
    .catch(() => {});
}

function recordOf(name: string, socket: string): RunningRecord | null {
  const [, protocol, pid, id = ""] = NAME.exec(name) ?? [];
  if (Number(protocol) !== CONTROL_PROTOCOL || !isAbsolute(socket)) return null;
  return { protocol: CONTROL_PROTOCOL, id, pid: Number(pid), socket };
}
