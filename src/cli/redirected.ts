import { fstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** Absolute paths of the files that standard output and standard error lead to, as far as they can be found. */
export function redirectedTo(cwd: string): readonly string[] {
  return [...new Set([1, 2].flatMap((fd) => fileOf(fd, cwd) ?? []))];
}

function fileOf(fd: number, cwd: string): string | null {
  try {
    const open = fstatSync(fd);
    return open.isFile() ? (linkOf(fd) ?? entryOf(cwd, open)) : null;
  } catch {
    return null;
  }
}

/** Where the system shows open files as links. */
function linkOf(fd: number): string | null {
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    return path.startsWith("/") ? path : null;
  } catch {
    return null;
  }
}

/** Elsewhere: `> run.log` is nearly always a file right here. */
function entryOf(folder: string, wanted: { readonly dev: number; readonly ino: number }): string | null {
  const found = readdirSync(folder).find((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.ino === wanted.ino && stats.dev === wanted.dev;
  });
  return found === undefined ? null : join(folder, found);
}
