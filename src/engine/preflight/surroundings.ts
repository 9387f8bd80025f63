import { execFile } from "node:child_process";
import { stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import type { Machine } from "../../machine.ts";
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
  return noted("git", "git is not on PATH, so workspaces are no repositories.", "install git");
}

const LITTLE_BYTES = 1024 ** 3;

async function diskFinding(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${folder}, where workspaces are made.`;
  if (free >= LITTLE_BYTES) return ok("disk", text);
  return failed("disk", text, "make room, or point TMPDIR at another disk");
}

/** Entries that are missing do no harm; relative ones are left out, because each workspace would read them differently. */
async function pathFinding({ env }: Machine): Promise<Finding> {
  const entries = (env["PATH"] ?? "").split(":").filter((entry) => entry !== "");
  const relative = entries.filter((entry) => !isAbsolute(entry));
  const there = await Promise.all(
    entries.map((entry) =>
      stat(entry).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    ),
  );
  const missing = entries.filter((entry, at) => isAbsolute(entry) && there[at] === false);
  const text = `PATH has ${entries.length - missing.length - relative.length} directories that agents can use`;
  if (relative.length > 0)
    return noted("path", `${text}; ${relative.join(", ")} is relative and left out.`, "write it from /");
  return ok("path", missing.length === 0 ? `${text}.` : `${text}; ${missing.length} more are not there.`);
}
