import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { type Failure, failureOfReply } from "../providers/failure.ts";
import { pauseMs } from "../providers/retry.ts";
import type { ModelCall } from "./call.ts";
import { sleep } from "./clock.ts";
import type { Clock, Limiter, Permit, ServiceSaid } from "./limiter.ts";
import type { Transport, UpstreamReply } from "./transport.ts";
import { keyHeaders, targetOf, type Upstream } from "./upstream.ts";
import { NOT_CONNECTED } from "./not-connected.ts";

/** One service: how to reach it and how much it takes. */
export interface Service {
  readonly upstream: Upstream;
  readonly limiter: Limiter;
  readonly send: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly patience: ServicePatience;
}

export interface ServicePatience {
  /** How often a call is sent that the service refuses with 429 or 529. */
  readonly attempts: number;
  /** How long a call may be held back in all; clients give up by themselves after about ten minutes. */
  readonly holdMs: number;
  /** A service that has not begun to answer by then is given up. */
  readonly answerMs: number;
  /** A service that falls silent for so long in its answer is given up. */
  readonly idleMs: number;
}

export const DEFAULT_PATIENCE: ServicePatience = {
  attempts: 8,
  holdMs: 10 * 60_000,
  answerMs: 10 * 60_000,
  idleMs: 5 * 60_000,
};

export type ServiceOutcome =
  | { readonly kind: "reply"; readonly reply: UpstreamReply; readonly permit: Permit }
  /** The service said no; the text is for the client. `final`: asking again is useless. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
      readonly failure: Failure;
      readonly final: boolean;
    }
  /** No word from the service; `received`: it may have got the request all the same. */
  | {
      readonly kind: "unreachable";
      readonly status: 502 | 504;
      readonly message: string;
      readonly received: boolean;
    };

/** What the caller wants to know while it waits. */
export interface AskWatch {
  /** The call goes out now. */
  sent(attempt: number): void;
  /** The service said no; another attempt may follow. */
  failed(status: number | null): void;
}

/**
 * Sends a call when the limiter lets it, and holds it back and sends it again when the service is busy (429, 529), so that
 * clients never see those and never add retries of their own. Rejects only when `signal` fires.
 */
export async function askService(
  call: ModelCall,
  service: Service,
  { watch, signal }: { watch: AskWatch; signal: AbortSignal },
): Promise<ServiceOutcome> {
  const { limiter, clock, patience } = service;
  const until = clock.now() + patience.holdMs;
  let said: ServiceOutcome | null = null;
  for (let attempt = 1; ; attempt++) {
    const pause = limiter.pausedMs();
    if (pause > 0 && clock.now() + pause > until) return said ?? pausedTooLong(pause);
    const permit = await limiter.acquire(signal, { again: attempt > 1 });
    watch.sent(attempt);
    const asked = await sendOnce(call, { service, attempt, signal }).catch((error: unknown) => {
      permit.release({ kind: "nothing" });
      throw error;
    });
    if (asked.kind === "reply") return { ...asked, permit };
    watch.failed(asked.kind === "error" ? asked.status : null);
    permit.release(loadOf(asked));
    if (asked.kind !== "error" || !isBusy(asked.status)) return asked;
    said = asked;
    const waitMs = pauseMs(asked.failure, attempt, service.random);
    if (waitMs === null || attempt >= patience.attempts || clock.now() + waitMs > until) return asked;
    // After a retry-after the limiter holds everyone back, this call included.
    if (asked.failure.retry.kind === "back-off") await sleep(clock, waitMs, signal);
  }
}

async function sendOnce(
  call: ModelCall,
  { service, attempt, signal }: { service: Service; attempt: number; signal: AbortSignal },
): Promise<Exclude<ServiceOutcome, { kind: "reply" }> | { kind: "reply"; reply: UpstreamReply }> {
  const { upstream, patience } = service;
  const ending = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ending.abort();
  }, patience.answerMs);
  const leave = (): void => ending.abort(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    const reply = await service.send(
      {
        call,
        attempt,
        url: targetOf(upstream, call),
        method: call.method,
        headers: { ...call.headers, ...keyHeaders(upstream) },
        body: call.packed,
      },
      ending.signal,
    );
    if (reply.status < 400) return { kind: "reply", reply };
    const text = hideKey(await beginning(reply.body), upstream.key);
    const failure = failureOfReply({ status: reply.status, headers: reply.headers, text });
    const final = isBusy(reply.status) || reply.status === 401;
    return { kind: "error", status: reply.status, headers: reply.headers, text, failure, final };
  } catch (error) {
    signal.throwIfAborted();
    if (late) {
      const message = `the model service ${upstream.name} did not answer within ${patience.answerMs / 1000} s`;
      return { kind: "unreachable", status: 504, message, received: true };
    }
    const cause = hideKey((error as Error).message, upstream.key);
    const message = `the model service ${upstream.name} cannot be reached: ${cause}`;
    const { code = "" } = error as NodeJS.ErrnoException;
    return { kind: "unreachable", status: 502, message, received: !NOT_CONNECTED.has(code) };
  } finally {
    clearTimeout(timer);
  }
}

const MAX_ERROR_BYTES = 1024 * 1024;

async function beginning(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString("utf8");
}

function isBusy(status: number): boolean {
  return status === 429 || status === 529;
}

function loadOf(asked: Exclude<ServiceOutcome, { kind: "reply" }>): ServiceSaid {
  if (asked.kind === "unreachable") return { kind: "failing" };
  const { status, failure } = asked;
  if (isBusy(status) && failure.reason !== "budget") {
    return { kind: "limited", retryAfterMs: failure.retry.kind === "after" ? failure.retry.waitMs : null };
  }
  return { kind: status >= 500 ? "failing" : "nothing" };
}

function pausedTooLong(pause: number): ServiceOutcome {
  const message = `429: the service asked for a pause of ${Math.ceil(pause / 1000)} s, which is too long to wait`;
  const failure: Failure = { reason: "rate-limit", message, status: 429, retry: { kind: "never" } };
  return { kind: "error", status: 429, headers: {}, text: message, failure, final: true };
}

/** Services like to repeat a wrong key in their message. */
function hideKey(text: string, key: string | null): string {
  return key === null || key === "" ? text : text.replaceAll(key, "[key]");
}
