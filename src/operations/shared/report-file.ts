import { mkdirSync, writeFileSync } from "node:fs";
import { access, constants, mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Machine } from "../../machine.ts";
import { writing } from "./writing.ts";

/**
 * What writes a report to this path, piece by piece, in the place of what was there. Throws a UserError where nothing can be
 * written, so that nobody pays for a run and then misses its report. Until the first piece nothing is made.
 */
export async function reportFile(
  path: string,
  machine: Pick<Machine, "cwd">,
  wrote: (path: string) => void,
): Promise<(text: string) => void> {
  await writing(path, machine, () => tryOut(path));
  let flag = "w";
  return (text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag });
    flag = "a";
    wrote(path);
  };
}

async function tryOut(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) return await tryFolder(dirname(path));
  if (found.isDirectory()) throw Object.assign(new Error(path), { code: "EISDIR", syscall: "open" });
  await access(path, constants.W_OK);
}

/** Makes something in the first folder that is there, and removes it. Some file systems, such as /proc, only pretend to be writable. */
async function tryFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
  if (found === undefined) return await tryFolder(dirname(folder));
  await rmdir(await mkdtemp(join(folder, ".assay-")));
}
