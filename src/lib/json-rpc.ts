import type { Readable, Writable } from "node:stream";

/** A JSON-RPC conversation, one message a line, with somebody who may send anything. */
export interface RpcTalk {
  /** The result. Rejects with an RpcError where the other side refuses, falls silent, floods or ends. */
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  tell(method: string): void;
}

export interface RpcLimits {
  /** Of everything that is heard, in bytes. */
  readonly mostBytes: number;
  /** Of one answer. */
  readonly answerMs: number;
  readonly signal: AbortSignal;
}

/** `code` is the other side's own where it refused; null: it did not answer. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number | null;

  constructor(message: string, code: number | null = null) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  readonly done: (result: unknown) => void;
  readonly fail: (error: RpcError) => void;
}

export function converse(input: Readable, output: Writable, limits: RpcLimits): RpcTalk {
  const waiting = new Map<number, Waiting>();
  let pieces: Buffer[] = [];
  let heard = 0;
  let ended: RpcError | null = null;
  let next = 1;
  const end = (why: RpcError): void => {
    ended ??= why;
    pieces = [];
    for (const { fail } of waiting.values()) fail(ended);
    waiting.clear();
  };
  const take = (line: string): void => {
    const message = parsed(line);
    const open = message === null || typeof message.id !== "number" ? undefined : waiting.get(message.id);
    if (message === null || open === undefined) return;
    waiting.delete(message.id as number);
    if (message.error === undefined) open.done(message.result);
    else open.fail(refusal(message.error));
  };
  input.on("data", (chunk: Buffer) => {
    if (ended !== null) return;
    heard += chunk.length;
    if (heard > limits.mostBytes) return end(new RpcError(`it sent more than ${limits.mostBytes} bytes`));
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      pieces.push(chunk.subarray(from, at));
      take(Buffer.concat(pieces).toString("utf8"));
      pieces = [];
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  });
  input.on("close", () => end(new RpcError("it ended before it had answered")));
  input.on("error", () => end(new RpcError("it ended before it had answered")));
  output.on("error", () => end(new RpcError("it ended before it had answered")));
  limits.signal.addEventListener("abort", () => end(new RpcError("it was stopped")), { once: true });
  const send = (message: Readonly<Record<string, unknown>>): void =>
    void output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        const id = next++;
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new RpcError(`it did not answer ${method} within ${limits.answerMs / 1000} s`));
        }, limits.answerMs);
        waiting.set(id, {
          done: (result) => {
            clearTimeout(timer);
            resolve(result);
          },
          fail: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        });
        send({ id, method, params });
      }),
    tell: (method) => send({ method }),
  };
}

interface Message {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

function parsed(line: string): Message | null {
  try {
    const message = JSON.parse(line) as Message | null;
    return typeof message === "object" ? message : null;
  } catch {
    return null;
  }
}

function refusal(error: unknown): RpcError {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  const words = typeof message === "string" ? message.slice(0, 300) : "no reason given";
  return new RpcError(words, typeof code === "number" ? code : null);
}
