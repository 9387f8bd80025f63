import { access, constants, mkdir, readdir, realpath } from "node:fs/promises";
import path from "node:path";

import { UserError } from "../../domain/user-error.ts";
import { removeLargeTree } from "./remove.ts";
import { isAbandoned, lockRunRoot } from "./run-lock.ts";

/** The directory all workspaces of one run of the tool lie in. */
export interface RunRoot extends AsyncDisposable {
  readonly path: string;
}

export interface RunRootOptions {
  /** Directories to try in this order, e.g. the system's for temporary files. */
  readonly candidates: readonly string[];
  /** Eight characters that are unique on this machine. */
  readonly token: string;
  readonly pid: number;
}

/**
 * Makes the run root in the first candidate that will do: every agent reads instructions and skills of the directories
 * above its workspace, so none may hold any; and its path must mean the same with and without quotes in a shell.
 */
export async function openRunRoot(options: RunRootOptions): Promise<RunRoot> {
  const problems: string[] = [];
  for (const candidate of options.candidates) {
    const problem = await rootProblem(candidate);
    if (problem !== null) {
      problems.push(`${candidate} ${problem}`);
      continue;
    }
    const root = path.join(await realpath(candidate), `${PREFIX}${options.token}`);
    await mkdir(root, { mode: 0o700 });
    const lock = await lockRunRoot(root, options.pid);
    return {
      path: root,
      [Symbol.asyncDispose]: async () => {
        await lock[Symbol.asyncDispose]();
        await removeLargeTree(root);
      },
    };
  }
  throw new UserError(
    "run/no-clean-directory",
    `no directory can hold the workspaces: ${problems.join("; ")}`,
    {
      hint: "point TMPDIR at a writable directory that has no such files in it or above it",
    },
  );
}

/** Removes the run roots in a directory that nobody holds, as a killed run leaves them; answers what it removed. */
export async function sweepRunRoots(candidate: string, now: Date): Promise<readonly string[]> {
  const swept: string[] = [];
  for (const name of await readdir(candidate).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const root = path.join(candidate, name);
    if (!(await isAbandoned(root, now))) continue;
    if ((await removeLargeTree(root)) === null) swept.push(root);
  }
  return swept;
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
const PREFIX = "assay-";

/** Why workspaces cannot lie in this directory; null when they can. */
export async function rootProblem(candidate: string): Promise<string | null> {
  let real: string;
  try {
    real = await realpath(candidate);
    await access(real, constants.W_OK | constants.X_OK);
  } catch (error) {
    return `cannot be written to (${(error as NodeJS.ErrnoException).code ?? "unknown"})`;
  }
  if (!/^[\w/.+-]+$/u.test(real)) return "has characters in its path that a shell would take apart";
  for (let directory = real; ; directory = path.dirname(directory)) {
    const names = new Set(await readdir(directory).catch(() => []));
    const found = READ_BY_AGENTS.find((name) => names.has(name));
    if (found !== undefined) return `lies below ${path.join(directory, found)}, which agents would read`;
    if (directory === path.dirname(directory)) return null;
  }
}
