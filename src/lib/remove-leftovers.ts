import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isTemporary, isTemporaryFor } from "./temporary-name.ts";

/** Writing takes milliseconds; the rest is for clocks that are set, or that differ between machines. */
const ABANDONED_MS = 24 * 3_600_000;

/**
 * Removes from a folder, but not from those in it, what killed processes had not finished writing. Others may be writing there,
 * so only what nobody touched for a day goes.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter(isTemporary).map((name) => join(folder, name))) {
    const touched = await stat(path).catch(() => null);
    if (touched !== null && Date.now() - touched.mtimeMs > ABANDONED_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Removes what killed processes had not finished writing in place of one file. For those that let nobody else write it. */
export async function removeLeftoversOf(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => isTemporaryFor(one, file)))
    await rm(join(folder, name), { recursive: true, force: true });
}
