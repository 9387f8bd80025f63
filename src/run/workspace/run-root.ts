import { access, constants, readdir, realpath } from "node:fs/promises";
import path from "node:path";

import { UserError } from "../../domain/user-error.ts";
import { openOwnedFolder, type OwnedFolder } from "./owned-folder.ts";

export interface RunRootOptions {
  /** Directories to try in this order, e.g. the system's for temporary files. */
  readonly candidates: readonly string[];
  /** See `ownedToken`. */
  readonly token: string;
  readonly pid: number;
}

/**
 * Makes the run root, the directory all workspaces of one run of the tool lie in, in the first candidate that will do: every agent reads instructions and skills of the directories
 * above its workspace, so none may hold any; and its path must mean the same with and without quotes in a shell.
 */
export async function openRunRoot(options: RunRootOptions): Promise<OwnedFolder> {
  const problems: string[] = [];
  for (const candidate of options.candidates) {
    const problem = await rootProblem(candidate);
    if (problem !== null) {
      problems.push(`${candidate} ${problem}`);
      continue;
    }
    return openOwnedFolder(await realpath(candidate), options);
  }
  throw new UserError(
    "run/no-clean-directory",
    `no directory can hold the workspaces: ${problems.join("; ")}`,
    {
      hint: "point TMPDIR at a writable directory that has no such files in it or above it",
    },
  );
}

/** What agents read in the directories above the one they work in. */
const READ_BY_AGENTS = [
  "CLAUDE.md",
  "CLAUDE.local.md",
  "AGENTS.md",
  "AGENTS.override.md",
  "GEMINI.md",
  ".claude",
  ".agents",
  ".codex",
  ".gemini",
  ".opencode",
  ".mcp.json",
];

/** Why workspaces cannot lie in this directory; null when they can. */
export async function rootProblem(candidate: string): Promise<string | null> {
  let real: string;
  try {
    real = await realpath(candidate);
    await access(real, constants.W_OK | constants.X_OK);
  } catch (error) {
    return `cannot be written to (${(error as NodeJS.ErrnoException).code ?? "unknown"})`;
  }
  if (!/^[\w/.+-]+$/u.test(real)) return "has characters in its path that a shell would split";
  for (let directory = real; ; directory = path.dirname(directory)) {
    const names = new Set(await readdir(directory).catch(() => []));
    const found = READ_BY_AGENTS.find((name) => names.has(name));
    if (found !== undefined) return `is below ${path.join(directory, found)}, which agents would read`;
    if (directory === path.dirname(directory)) return null;
  }
}
