import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** `unknown`: the file lies in no repository, or there is no git. An untracked file is not committed. */
export type CommitState = "committed" | "uncommitted" | "unknown";

/** Whether git could bring the file back as it is now. Never rejects. */
export async function commitStateOf(file: string): Promise<CommitState> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: dirname(file) })).stdout;
  try {
    const changed = await git("status", "--porcelain", "--ignored", "--", basename(file));
    if (changed.trim() !== "") return "uncommitted";
    return (await git("ls-files", "--", basename(file))).trim() === "" ? "uncommitted" : "committed";
  } catch {
    return "unknown";
  }
}
