import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { replyHeaders } from "./headers.ts";

/** A reply on its way to a client. */
export interface Passing {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable | AsyncIterable<Buffer>;
}

export interface RelayOptions {
  /** Sees each piece before the client does. */
  readonly tap: (chunk: Buffer) => void;
  /** A service that is silent for longer has died. */
  readonly idleMs: number;
  /** Fires when the client leaves. */
  readonly signal: AbortSignal;
}

/** Passes a reply on piece by piece, no faster than the client takes it. Rejects when either side breaks off. */
export async function relay(
  { status, headers, body }: Passing,
  response: ServerResponse,
  { tap, idleMs, signal }: RelayOptions,
): Promise<void> {
  response.writeHead(status, replyHeaders(headers));
  response.flushHeaders();
  const silence = watchSilence(body, idleMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      silence.stop();
      tap(chunk);
      if (!response.write(chunk)) await once(response, "drain", { signal });
      silence.start();
    }
  } finally {
    silence.stop();
  }
  response.end();
  if (!response.writableFinished) await once(response, "finish", { signal });
}

function watchSilence(body: Passing["body"], idleMs: number): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  const start = (): void => {
    if (!(body instanceof Readable)) return;
    timer = setTimeout(() => {
      body.destroy(
        new Error(`the model service was silent for ${idleMs / 1000} s in the middle of its answer`),
      );
    }, idleMs);
  };
  start();
  return {
    start,
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
