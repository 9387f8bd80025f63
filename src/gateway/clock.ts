import type { Clock } from "./limiter.ts";

/** Real time, on a clock that never goes back. Its timers do not keep the process alive. */
export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, MOST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const MOST_TIMER_MS = 2 ** 31 - 1;

/** Rejects with the signal's reason when it fires first. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const leave = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
    signal.addEventListener("abort", leave, { once: true });
  });
}
