import { relative } from "node:path";

/** A path as a person at `cwd` would type it: relative below it, absolute elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" ? "." : short.startsWith("..") ? path : short;
}
