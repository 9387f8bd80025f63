import { execFile } from "node:child_process";
import { stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import type { Machine } from "../../machine.ts";
import { TEMP_FOLDER_FIX, tempFolderProblem } from "../temp-folder.ts";
import { failed, type Finding, noted, ok } from "./finding.ts";

/** What every run finds on this machine: git, room for workspaces, the search path. */
export function surroundings(machine: Machine): Promise<readonly Finding[]> {
  return Promise.all([gitFinding(machine), diskFinding(tmpdir()), pathFinding(machine)]);
}

async function gitFinding({ env }: Machine): Promise<Finding> {
  const called = promisify(execFile)("git", ["--version"], { env: { PATH: env["PATH"] }, timeout: 10_000 });
  const version = await called.then(
    ({ stdout }) => /\d+\.\d+\S*/.exec(stdout)?.[0] ?? null,
    () => null,
  );
  if (version !== null) return ok("git", `git is ${version}.`);
  return noted("git", "git is not on PATH, so workspaces will not be git repositories.", "install git");
}

const LITTLE_BYTES = 1024 ** 3;

async function diskFinding(folder: string): Promise<Finding> {
  const problem = tempFolderProblem(folder);
  if (problem !== null) return failed("disk", problem, TEMP_FOLDER_FIX);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${folder}, where workspaces are made.`;
  if (free >= LITTLE_BYTES) return ok("disk", text);
  return failed("disk", text, "free up some space, or set TMPDIR to a folder on another disk");
}

/** Entries that are missing do no harm; relative ones are left out, because each workspace would read them differently. */
async function pathFinding({ env }: Machine): Promise<Finding> {
  const path = env["PATH"] ?? "";
  if (path === "") return failed("path", "PATH is empty, so agents find no program.", "set PATH");
  const entries = [...new Set(path.split(":"))];
  const relative = entries.filter((entry) => !isAbsolute(entry));
  const absolute = entries.filter((entry) => isAbsolute(entry));
  const there = await Promise.all(absolute.map(isFolder));
  const usable = there.filter(Boolean).length;
  const missing = absolute.length - usable;
  const parts = [
    `Agents can use ${shareOf(usable, entries.length)} on PATH`,
    ...(missing === 0 ? [] : [`${missing} not found`]),
    ...(relative.length === 0 ? [] : [`${relative.length} left out as relative (${listed(relative)})`]),
  ];
  const text = `${parts.join("; ")}.`;
  if (usable === 0) return failed("path", text, "put the directories of your programs on PATH");
  return relative.length === 0 ? ok("path", text) : noted("path", text, "use absolute paths in PATH");
}

function shareOf(usable: number, all: number): string {
  if (usable === 0) return "no directory";
  if (usable < all) return `${usable} of the ${all} directories`;
  return all === 1 ? "the only directory" : `all ${all} directories`;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** An empty entry means the directory one is in. */
function listed(entries: readonly string[]): string {
  const names = entries.map((entry) => entry || '""');
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown}, ...` : shown;
}
