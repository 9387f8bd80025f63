import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, WorkspaceGround } from "../sandbox.ts";
import { openOwnedFolder, ownedToken } from "../workspace/owned-folder.ts";
import { systemProgram } from "./namespace.ts";
import { supervise } from "./supervise.ts";

/** Null when a program inside can write its workspace; otherwise what went wrong, in words. */
export async function whyItFails(sandbox: Sandbox): Promise<string | null> {
  return probe(sandbox, tmpdir(), (folder) => {
    const path = join(folder, "workspace");
    return { workspace: { kind: "directory", path }, written: path, folders: [path] };
  });
}

/** Null when the sandbox can mount overlay workspaces that lie in `folder`, whose file system matters. */
export async function whyOverlayFails(sandbox: Sandbox, folder: string): Promise<string | null> {
  return probe(sandbox, folder, (folder) => {
    const [lower, upper, work, mountPoint] = ["lower", "upper", "work", "mount"].map((name) =>
      join(folder, name),
    );
    if (!lower || !upper || !work || !mountPoint) throw new Error("four names give four paths");
    return {
      workspace: { kind: "overlay", lower: [lower], upper, work, mountPoint },
      written: upper,
      folders: [lower, upper, work, mountPoint],
    };
  });
}

interface ProbeGround {
  readonly workspace: WorkspaceGround;
  /** Where what the program writes must appear. */
  readonly written: string;
  readonly folders: readonly string[];
}

async function probe(
  sandbox: Sandbox,
  parent: string,
  groundIn: (folder: string) => ProbeGround,
): Promise<string | null> {
  try {
    await using owned = await openOwnedFolder(parent, { token: ownedToken("probe"), pid: process.pid });
    const folder = owned.path;
    const { workspace, written, folders } = groundIn(folder);
    const [home, temp] = [join(folder, "home"), join(folder, "temp")];
    for (const path of [...folders, home, temp]) mkdirSync(path);
    const ground = { id: "probe", workspace, home, temp, readable: [] };
    const sh = systemProgram("sh") ?? "/bin/sh";
    const cwd = sandbox.places(ground).workspace;
    const command = { program: sh, args: ["-c", "echo > probe"], cwd, env: {}, stdin: "" };
    const { ending, stderrTail } = await supervise(await sandbox.wrap(command, ground), {
      stdoutFile: join(folder, "stdout"),
      stderrFile: join(folder, "stderr"),
      deadlineMs: performance.now() + PROBE_MS,
      signal: new AbortController().signal,
      watch: () => undefined,
      contained: sandbox.contained,
    });
    if (existsSync(join(written, "probe"))) return null;
    return ending.kind === "timed-out" ? "it did not answer in time" : firstLine(stderrTail) || ending.kind;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

const PROBE_MS = 10_000;
