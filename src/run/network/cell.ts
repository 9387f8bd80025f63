import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { systemProgram } from "../process/namespace.ts";

/** A network of its own with one way out: what connects to the port on its loopback reaches the socket of this machine. */
export interface NetworkCell extends AsyncDisposable {
  /** A process in it, for programs to join it by. */
  readonly pid: number;
}

export interface WayOut {
  readonly port: number;
  /** A Unix socket that somebody listens at. */
  readonly socketPath: string;
}

/** One for a whole run: a trial that joins it costs no more than one that does not. Rejects, in words, where it cannot be had. */
export async function openCell(way: WayOut): Promise<NetworkCell> {
  const [bwrap, nsenter] = [systemProgram("bwrap"), systemProgram("nsenter")];
  if (bwrap === null || nsenter === null)
    throw new Error("bubblewrap or util-linux (nsenter) is not installed");
  const isolation = ["--unshare-user", "--unshare-net", "--dev-bind", "/", "/", "--die-with-parent"];
  const relay = [process.execPath, "-e", RELAY, String(way.port), way.socketPath];
  const child = spawn(bwrap, [...isolation, "--info-fd", "3", "--", ...relay], {
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  try {
    const pid = await relayIn(child);
    await tryToJoin(nsenter, pid);
    for (const stream of [child.stdin, child.stdout, child.stderr, child.stdio[3]])
      (stream as { unref?: () => void } | null)?.unref?.();
    child.unref();
    return { pid, [Symbol.asyncDispose]: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

/** Arguments of `nsenter`, before the program that is to run in the cell. */
export function joining(pid: number): readonly string[] {
  return [`--user=/proc/${pid}/ns/user`, `--net=/proc/${pid}/ns/net`, "--preserve-credentials", "--"];
}

/** Node, because it is there; it ends with its standard input, which is ours. */
const RELAY = `const net = require("node:net");
const { argv, exit, stdin, stdout } = require("node:process");
const [port, path] = argv.slice(1);
const server = net.createServer({ noDelay: true }, (client) => {
  const gateway = net.connect(path);
  for (const [one, other] of [[client, gateway], [gateway, client]]) {
    one.pipe(other);
    one.on("error", () => other.destroy());
    one.on("close", () => other.end());
  }
});
server.listen(Number(port), "127.0.0.1", () => stdout.write("ready"));
stdin.on("end", () => exit()).resume();`;

/** The relay's number, once it listens. */
async function relayIn(child: ChildProcess): Promise<number> {
  const [info, output] = [child.stdio[3] as Readable, child.stdout as Readable];
  const [told, said, failed] = [heard(info), heard(output), heard(child.stderr as Readable)];
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(failed().trim().split("\n")[0] || "it ended at once")));
    setTimeout(() => reject(new Error("it did not answer in time")), START_MS).unref();
  });
  ended.catch(() => {});
  for (;;) {
    const pid = /"child-pid": (\d+)/u.exec(told())?.[1];
    if (pid !== undefined && said() === "ready") return Number(pid);
    await Promise.race([once(info, "data"), once(output, "data"), ended]);
  }
}

const START_MS = 10_000;

function heard(stream: Readable): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8").slice(0, MOST_CHARS - text.length);
  });
  return () => text;
}

const MOST_CHARS = 4096;

/** Some systems let nobody but root join a namespace. */
async function tryToJoin(nsenter: string, pid: number): Promise<void> {
  const child = spawn(nsenter, [...joining(pid), systemProgram("true") ?? "/bin/true"], {
    env: {},
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = heard(child.stderr);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(said().trim().split("\n")[0] || "it cannot be joined");
}

/** The relay ends with its standard input, and its sandbox with the relay. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  // Nothing else may be left to wait for.
  child.ref();
  const gone = once(child, "exit");
  child.stdin?.destroy();
  const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
  await gone;
  clearTimeout(late);
}

const END_MS = 2000;
