import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { systemProgram } from "../../src/run/process/namespace.ts";
import { type Played, played } from "./played.ts";

/** A file system in memory that only what is started in it sees; gone with its scope. */
export interface OwnDisk extends AsyncDisposable {
  /** Where those outside find what lies at an absolute path inside. */
  readonly seen: (path: string) => string;
  readonly remount: (options: string) => Promise<void>;
  /** Starts a program inside, in this folder and with nothing but this environment. */
  readonly play: (args: readonly string[], options: OwnDiskPlay) => Promise<Played>;
}

interface OwnDiskPlay {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Mounted at `root`, an existing folder. Null where a user may not mount in a namespace of their own. */
export async function ownDisk(root: string, options: string): Promise<OwnDisk | null> {
  const [unshare, nsenter] = [systemProgram("unshare"), systemProgram("nsenter")];
  if (unshare === null || nsenter === null) return null;
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && echo ready && exec cat';
  const holder = spawn(unshare, ["-Urm", "sh", "-c", script, root, options], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const closed = new Promise<void>((resolve) => {
    holder.once("error", () => resolve());
    holder.once("close", () => resolve());
  });
  const isReady = await Promise.race([
    once(holder.stdout, "data").then(
      () => true,
      () => false,
    ),
    closed.then(() => false),
  ]);
  if (!isReady) return null;
  const inside = [nsenter, "-t", String(holder.pid), "-U", "-m", "--preserve-credentials"];
  // A working directory is looked up before the namespace is entered.
  const play = (args: readonly string[], { cwd, env }: OwnDiskPlay) =>
    played([...inside, "sh", "-c", 'cd "$0" && exec "$@"', cwd, ...args], { cwd: "/", env });
  return {
    seen: (path) => join("/proc", String(holder.pid), "root", path),
    async remount(changed) {
      const { code, err } = await play(["mount", "-o", `remount,${changed}`, root], {
        cwd: "/",
        env: process.env,
      });
      if (code !== 0) throw new Error(`${root} cannot be mounted with ${changed}: ${err}`);
    },
    play,
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await closed;
    },
  };
}
