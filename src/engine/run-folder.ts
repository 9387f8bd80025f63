import { tmpdir } from "node:os";
import { openOwnedFolder, type OwnedFolder, ownedToken } from "../run/workspace/owned-folder.ts";
import { openRunRoot } from "../run/workspace/run-root.ts";

/** A folder of this run among the system's temporary ones; what a killed run leaves of it, a later one removes. */
export async function openRunFolder(kind?: string): Promise<OwnedFolder> {
  const candidates = [...new Set([tmpdir(), "/tmp", "/var/tmp"])];
  return openRunRoot({ candidates, token: ownedToken(kind), pid: process.pid });
}

/** One for as long as `use` takes; no place for agents, who read instructions in the directories above. */
export async function inTempFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  await using folder = await openOwnedFolder(tmpdir(), { token: ownedToken(), pid: process.pid });
  return await use(folder.path);
}
