import { chmodSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { thrownWords } from "../../lib/thrown-words.ts";
import type { ControlMessage, ControlReply } from "./message.ts";

/** One message and one reply per connection, each a line of JSON. */
export async function listenAt(
  path: string,
  answer: (message: ControlMessage) => Promise<ControlReply>,
): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    void firstLine(socket)
      .then(async (line) => socket.end(`${JSON.stringify(await replyTo(line, answer))}\n`))
      .catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  // A call must end when its work has, whoever is still connected.
  server.unref();
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Null: nobody listens there. Rejects where somebody does and gives no answer. */
export async function askAt(path: string, message: ControlMessage): Promise<ControlReply | null> {
  const socket = createConnection(path);
  try {
    if (!(await connected(socket))) return null;
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("it does not answer")));
    const line = firstLine(socket);
    socket.write(`${JSON.stringify(message)}\n`);
    return JSON.parse(await line) as ControlReply;
  } finally {
    socket.destroy();
  }
}

/** Who listens has its hands full with trials now and then, but never for so long. */
const PATIENCE_MS = 30_000;

function connected(socket: Socket): Promise<boolean> {
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (GONE.has(error.code ?? "")) resolve(false);
      else reject(error);
    });
  });
}

/** What a socket says that a killed process left, or that was removed. */
const GONE = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK"]);

async function replyTo(
  line: string,
  answer: (message: ControlMessage) => Promise<ControlReply>,
): Promise<ControlReply> {
  try {
    return await answer(JSON.parse(line) as ControlMessage);
  } catch (error) {
    return { ok: false, problem: thrownWords(error) };
  }
}

/** Far more than a status of thousands of trials. */
const MOST_CHARS = 16 * 1024 * 1024;

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      text += piece;
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > MOST_CHARS) reject(new Error("the message is too long"));
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
  });
}
