import { readFile, open, stat, utimes, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import path from "node:path";

import { nameFile } from "../../lib/name-file.ts";

/**
 * Locks a folder: a socket in it that its owner listens at. The kernel answers for it in whichever PID namespace or
 * container it is asked, and forgets it with the process, however that ends. Held until it is disposed of.
 */
export async function lockFolder(root: string, pid: number): Promise<AsyncDisposable> {
  const server = await listen(root).catch(() => null);
  const owner: Owner = { pid, boot: await bootId(), socket: server !== null };
  const file = path.join(root, OWNER);
  const close = () =>
    new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
  await writeFile(file, `${JSON.stringify(owner)}\n`).catch(async (error: unknown) => {
    await close();
    throw nameFile(error, file);
  });
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS);
  beat.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await close();
    },
  };
}

/**
 * Whether nobody uses the folder any more. One that names no owner is judged by its socket. Where the kernel cannot tell, because there is no socket, or
 * another machine or an earlier boot of this one made it, a day without a sign of life decides.
 */
export async function isAbandoned(root: string, now: Date): Promise<boolean> {
  const file = path.join(root, OWNER);
  const owner = ownerIn(await readFile(file, "utf8").catch(() => ""));
  if (owner === null)
    return (await exists(path.join(root, SOCKET))) ? !(await answers(root)) : isSilent(root, now);
  const boot = await bootId();
  if (owner.socket && boot !== null && owner.boot === boot) return !(await answers(root));
  return isSilent(file, now);
}

async function isSilent(at: string, now: Date): Promise<boolean> {
  const touched = await stat(at).catch(() => null);
  return touched !== null && now.getTime() - touched.mtimeMs > SILENCE_MS;
}

interface Owner {
  /** For people; numbers mean nothing in another namespace. */
  readonly pid: number;
  readonly boot: string | null;
  readonly socket: boolean;
}

const OWNER = "owner.json";
const SOCKET = "owner.sock";
const BEAT_MS = 5 * 60 * 1000;
const SILENCE_MS = 24 * 60 * 60 * 1000;

async function listen(root: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  await atSocket(root, (socket) => {
    return new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
  });
  server.unref();
  return server;
}

function answers(root: string): Promise<boolean> {
  return atSocket(root, (socket) => {
    return new Promise<boolean>((resolve) => {
      const connection = connect(socket, () => {
        connection.destroy();
        resolve(true);
      });
      // Only these two say that nobody listens; whatever else goes wrong is no reason to remove anything.
      connection.once("error", ({ code }: NodeJS.ErrnoException) =>
        resolve(code !== "ECONNREFUSED" && code !== "ENOENT"),
      );
    });
  });
}

/** A socket's path may have about a hundred characters; through an open directory it is short on Linux. */
async function atSocket<T>(root: string, use: (socket: string) => Promise<T>): Promise<T> {
  const plain = path.join(root, SOCKET);
  if (Buffer.byteLength(plain) < LONGEST_SOCKET || process.platform !== "linux") return use(plain);
  await using directory = await open(root);
  return await use(`/proc/self/fd/${directory.fd}/${SOCKET}`);
}

const LONGEST_SOCKET = 100;

/** Names this run of this kernel; null where the system does not say. */
function bootId(): Promise<string | null> {
  if (process.platform !== "linux") return Promise.resolve("this machine");
  return readFile("/proc/sys/kernel/random/boot_id", "utf8").then(
    (text) => text.trim(),
    () => null,
  );
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function ownerIn(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Partial<Owner>;
    return typeof owner.socket === "boolean" ? { pid: 0, boot: null, ...owner, socket: owner.socket } : null;
  } catch {
    return null;
  }
}
