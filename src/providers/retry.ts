import { setTimeout as sleepFor } from "node:timers/promises";
import { deadlineSignal } from "../lib/deadline-signal.ts";
import type { Failure } from "./failure.ts";

/** How long and how often a call is tried, and by which clock. */
export interface Patience {
  /** For the whole call, waiting included. */
  readonly deadlineMs: number;
  /** Requests in all. */
  readonly attempts: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Rejects when the signal fires. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** Tries again what may succeed later, until patience ends. Rejects only when `signal` fires. */
export async function persist<T>(
  attempt: (signal: AbortSignal) => Promise<Attempt<T>>,
  patience: Partial<Patience>,
  signal: AbortSignal,
): Promise<Attempt<T>> {
  const { deadlineMs, attempts, now, random, sleep } = { ...DEFAULT_PATIENCE, ...patience };
  const end = now() + deadlineMs;
  let last: Failure | null = null;
  for (let count = 1; ; count++) {
    const tried = await within(attempt, end - now(), signal);
    if (tried === null) return { ok: false, failure: late(last, deadlineMs) };
    if (tried.ok) return tried;
    last = tried.failure;
    const waitMs = pauseMs(last, count, random);
    if (waitMs === null || count >= Math.min(attempts, MOST_ATTEMPTS[last.reason])) return tried;
    if (now() + waitMs >= end) return { ok: false, failure: tooLong(last, waitMs) };
    await sleep(waitMs, signal);
  }
}

/** How long to wait after the given number of attempts; null: not worth another. */
export function pauseMs(failure: Failure, attempts: number, random: () => number): number | null {
  switch (failure.retry.kind) {
    case "never":
      return null;
    case "after":
      return failure.retry.waitMs;
    case "back-off": {
      const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
      return most * (0.5 + random() / 2);
    }
  }
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** A dead connection seldom comes back in seconds; a busy service does. */
const MOST_ATTEMPTS: Readonly<Record<Failure["reason"], number>> = {
  auth: 1,
  budget: 1,
  network: 3,
  api: 6,
  "rate-limit": 6,
};

const DEFAULT_PATIENCE: Patience = {
  deadlineMs: 10 * 60_000,
  attempts: Infinity,
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await sleepFor(ms, undefined, { signal });
  },
};

/** Null when the time is up first. */
async function within<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  leftMs: number,
  signal: AbortSignal,
): Promise<T | null> {
  if (leftMs <= 0) return null;
  using deadline = deadlineSignal(signal, leftMs);
  try {
    return await attempt(deadline.signal);
  } catch (error) {
    if (deadline.signal.aborted && !signal.aborted) return null;
    throw error;
  }
}

function late(last: Failure | null, deadlineMs: number): Failure {
  const message = `no answer within ${deadlineMs / 1000} s`;
  return last === null
    ? { reason: "network", message, status: null, retry: { kind: "never" } }
    : { ...last, message: `${message}; before that: ${last.message}` };
}

function tooLong(last: Failure, waitMs: number): Failure {
  const wait = `the next attempt must wait ${Math.ceil(waitMs / 1000)} s, which is too late`;
  return { ...last, message: `${last.message}; ${wait}` };
}
