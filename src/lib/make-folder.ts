import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it; one that is there already is fine. Unlike Node's own recursive way it ends also in
 * file systems such as /proc that deny the folder as if the one above it were missing.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === "ENOENT" && above !== path && !(await exists(above))) {
      await makeFolder(above);
      await makeFolder(path);
    } else if (code !== "EEXIST" || !(await isFolder(path))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
