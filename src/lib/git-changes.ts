import { resolve } from "node:path";
import { git, type GitPlace } from "./git.ts";

/** Absolute paths that differ from `ref` or are not tracked yet. Rejects with git's own words. */
export async function changedPaths(place: GitPlace, ref: string): Promise<string[]> {
  const root = (await git(["rev-parse", "--show-toplevel"], place)).trimEnd();
  const changed = await git([...DIFF, "--end-of-options", ref, "--"], place);
  const untracked = await git(
    ["ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/"],
    place,
  );
  return `${changed}${untracked}`
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => resolve(root, path));
}

/** Whether a submodule has changes of its own is not asked: git would look with the submodule's configuration. */
const DIFF = ["diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
