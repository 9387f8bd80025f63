import { pipeline, Readable, Transform } from "node:stream";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { Transport, UpstreamReply, UpstreamRequest } from "./transport.ts";

/** What goes wrong between gateway and service, for tests of ours; null: nothing. */
export type FaultInjector = (request: UpstreamRequest) => Fault | null;

export interface Fault {
  /** Before the service is asked. */
  readonly delayMs?: number;
  /** Before each piece of the reply. */
  readonly chunkDelayMs?: number;
  readonly effect?:
    | {
        readonly kind: "status";
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly text?: string;
      }
    /** The connection is lost before a word is said. */
    | { readonly kind: "drop" }
    /** The connection is lost after that many bytes of the reply. */
    | { readonly kind: "cut"; readonly afterBytes: number }
    /** Nothing follows that many bytes of the reply. */
    | { readonly kind: "stall"; readonly afterBytes: number };
}

export function withFaults(send: Transport, inject: FaultInjector): Transport {
  return async (request, signal) => {
    const fault = inject(request);
    if (fault === null) return send(request, signal);
    const { effect, delayMs = 0 } = fault;
    if (delayMs > 0) await sleepFor(delayMs, undefined, { signal });
    if (effect?.kind === "drop") throw lost();
    if (effect?.kind === "status") return scripted(effect);
    const reply = await send(request, signal);
    return { ...reply, body: spoiled(reply.body, fault) };
  };
}

function scripted({
  status,
  headers = {},
  text = "",
}: {
  status: number;
  headers?: Readonly<Record<string, string>>;
  text?: string;
}): UpstreamReply {
  return { status, headers, body: Readable.from([Buffer.from(text)], { objectMode: false }) };
}

function spoiled(body: Readable, { effect, chunkDelayMs = 0 }: Fault): Readable {
  const limit = effect?.kind === "cut" || effect?.kind === "stall" ? effect.afterBytes : Infinity;
  let passed = 0;
  const spoil = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const left = limit - passed;
      passed += chunk.length;
      const pass = (): void => {
        if (left > 0) this.push(chunk.subarray(0, Math.min(chunk.length, left)));
        if (passed < limit) done();
        else if (effect?.kind === "cut") done(lost());
      };
      if (chunkDelayMs > 0) setTimeout(pass, chunkDelayMs);
      else pass();
    },
  });
  return pipeline(body, spoil, () => null);
}

function lost(): Error {
  return Object.assign(new Error("the connection was lost (injected)"), { code: "ECONNRESET" });
}
