import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { RUN } from "../process/namespace.ts";
import type { Reach, Sandbox } from "../sandbox.ts";

/** A server program that speaks on its standard streams. Disposing of it ends it and all that it started. */
export interface RunningServer extends AsyncDisposable {
  readonly output: Readable;
  readonly input: Writable;
  /** The end of what it wrote to standard error. */
  readonly said: () => string;
}

export interface ServerCommand {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute paths that it may read beside the system. */
  readonly readable: readonly string[];
  readonly searchPath: string;
}

const MOST_SAID = 2000;

/** Starts it inside the sandbox, with folders of its own below `folder` and nothing of the user's environment. */
export async function startServer(
  { program, args, readable, searchPath }: ServerCommand,
  { sandbox, folder, reach }: { readonly sandbox: Sandbox; readonly folder: string; readonly reach: Reach },
): Promise<RunningServer> {
  const [workspace, home, temp] = await Promise.all(
    ["workspace", "home", "temp"].map(async (name) => {
      await mkdir(join(folder, name));
      return join(folder, name);
    }),
  );
  const ground = {
    id: "served",
    workspace: { kind: "directory" as const, path: workspace ?? folder },
    home: home ?? folder,
    temp: temp ?? folder,
    readable,
    reach,
  };
  const places = sandbox.places(ground);
  const env = { PATH: searchPath, HOME: places.home, TMPDIR: places.temp, LANG: "C.UTF-8" };
  const command = await sandbox.wrap({ program, args, cwd: places.workspace, env, stdin: "" }, ground);
  const child = spawn(command.program, command.args, {
    cwd: command.cwd,
    env: { ...command.env },
    // A contained command says on descriptor 3 that it is ready; nobody has to know here.
    stdio: ["pipe", "pipe", "pipe", "ignore"],
    detached: true,
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null)
    throw new Error("a server has no standard streams");
  let said = "";
  stderr.on("data", (chunk: Buffer) => void (said = (said + chunk.toString("utf8")).slice(-MOST_SAID)));
  child.once("error", (error) => {
    said = error.message;
    stdout.destroy();
  });
  if (sandbox.contained) (stdout as unknown as Socket).write(RUN);
  return { output: stdout, input: stdin, said: () => said, [Symbol.asyncDispose]: () => end(child) };
}

/** A sandbox that contains its programs takes them along; of others the whole group is ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
  await gone;
}
