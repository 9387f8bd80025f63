import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { replyHeaders } from "./headers.ts";

/** A reply on its way to a client. */
export interface Passing {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

export interface RelayOptions {
  /** Sees each piece before the client does. */
  readonly tap: (chunk: Buffer) => void;
  /** A service that is silent for longer has died. */
  readonly idleMs: number;
  /** Fires when the client leaves. */
  readonly signal: AbortSignal;
}

/**
 * Passes a reply on piece by piece, no faster than the client takes it; resolves when all of it is on its way. Rejects
 * when either side breaks off, and lets go of the service then.
 */
export function relay(
  { status, headers, body }: Passing,
  response: ServerResponse,
  { tap, idleMs, signal }: RelayOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => {
      const words = `the model service was silent for ${idleMs / 1000} s in the middle of its answer`;
      if (!body.isPaused()) body.destroy(new Error(words));
    }, idleMs);
    const leave = (): void => fail(signal.reason);
    const settle = (): void => {
      clearTimeout(silence);
      signal.removeEventListener("abort", leave);
    };
    const fail = (error: unknown): void => {
      settle();
      body.destroy();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    signal.addEventListener("abort", leave, { once: true });
    body.on("error", fail);
    body.on("close", () => {
      if (!body.readableEnded) fail(new Error("the model service broke off"));
    });
    body.on("data", (chunk: Buffer) => {
      try {
        tap(chunk);
      } catch (error) {
        fail(error);
        return;
      }
      silence.refresh();
      if (!response.write(chunk)) body.pause();
    });
    body.on("end", () => {
      clearTimeout(silence);
      response.end();
    });
    response.on("drain", () => {
      silence.refresh();
      body.resume();
    });
    response.on("finish", () => {
      settle();
      resolve();
    });
    if (signal.aborted) {
      leave();
      return;
    }
    response.writeHead(status, replyHeaders(headers));
    // Sent with the first piece if that has arrived.
    setImmediate(() => {
      if (!response.writableEnded) response.flushHeaders();
    });
  });
}
