import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/**
 * Whether a path stays in a directory once every link on the way is followed. What does not exist yet is where its nearest
 * existing parent is; a link that leads nowhere stays nowhere.
 */
export function staysIn(directory: string, path: string): boolean {
  const root = realOrPlanned(directory);
  const real = realOrPlanned(path);
  if (root === null || real === null) return false;
  const way = relative(root, real);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realOrPlanned(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (isThere(path) || dirname(path) === path) return null;
    const parent = realOrPlanned(dirname(path));
    return parent === null ? null : join(parent, basename(path));
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
