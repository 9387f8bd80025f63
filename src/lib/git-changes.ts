import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Absolute paths that differ from `ref` or are not tracked yet. Rejects with git's own words. */
export async function changedPaths(cwd: string, ref: string): Promise<string[]> {
  const git = async (...args: string[]) => (await run("git", args, { cwd, maxBuffer: 1 << 28 })).stdout;
  const root = (await git("rev-parse", "--show-toplevel")).trimEnd();
  const changed = await git("diff", "--name-only", "-z", "--end-of-options", ref, "--");
  const untracked = await git("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/");
  return `${changed}${untracked}`
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => resolve(root, path));
}
