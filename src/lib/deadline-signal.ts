import { setMaxListeners } from "node:events";

export interface DeadlineSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Fires with `signal`, or with a TimeoutError once the time is up, and only then: a caller that stops its call after a time
 * has not seen this deadline pass. Made by hand because a signal of `AbortSignal.any` over
 * one of `AbortSignal.timeout` may be collected as garbage before it fires, in Node 20.
 */
export function deadlineSignal(signal: AbortSignal, timeMs: number): DeadlineSignal {
  const controller = new AbortController();
  const pass = () =>
    controller.abort(
      isTimeout(signal.reason) ? new DOMException("the call was stopped", "AbortError") : signal.reason,
    );
  const expire = () => controller.abort(new DOMException("the time is up", "TimeoutError"));
  // Any number of deadlines may hang on one signal; each takes its listener away.
  setMaxListeners(0, signal);
  const timer = setTimeout(expire, Math.min(timeMs, LONGEST_MS));
  signal.addEventListener("abort", pass, { once: true });
  if (signal.aborted) pass();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener("abort", pass);
    },
  };
}

/** Did this deadline pass, where it is one of `deadlineSignal` that fired? */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** Longer timers fire at once. */
export const LONGEST_MS = 2 ** 31 - 1;
