import { basename, dirname } from "node:path";
import { git, type GitPlace } from "./git.ts";

/** `unknown`: the file is in no repository, or there is no git. An untracked file is not committed. */
export type CommitState = "committed" | "uncommitted" | "unknown";

/** Whether git could bring the file back as it is now. Never rejects. */
export async function commitStateOf(file: string, env: GitPlace["env"]): Promise<CommitState> {
  const place = { cwd: dirname(file), env };
  const status = ["status", "--porcelain", "--ignored", "--ignore-submodules=dirty"];
  try {
    const changed = await git([...status, "--", basename(file)], place);
    if (changed.trim() !== "") return "uncommitted";
    const tracked = await git(["ls-files", "--", basename(file)], place);
    return tracked.trim() === "" ? "uncommitted" : "committed";
  } catch {
    return "unknown";
  }
}
