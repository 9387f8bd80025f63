import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it; an existing one is fine. Unlike Node's own recursive way it ends also in
 * file systems such as /proc that deny the folder as if the one above it were missing.
 */
export async function makeFolder(path: string): Promise<void> {
  const above = dirname(path);
  if ((await makeOne(path)) || above === path) return;
  // Somebody else may have made what was missing in the meantime, so it is tried again in any case.
  if (!(await isFolder(above))) await makeFolder(above);
  if (!(await makeOne(path))) throw Object.assign(new Error(`cannot make ${path}`), { code: "ENOENT", path });
}

/** False where the folder above it is missing, or the system says so. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code === "EEXIST" && (await isFolder(path))) return true;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
