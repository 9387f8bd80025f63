import { setMaxListeners } from "node:events";

export interface WaitLimits {
  readonly limitMs: number;
  /** Absent: only the limit ends the waiting. */
  readonly signal?: AbortSignal;
  /** How long after the signal an answer is still waited for; absent: not at all, and nothing is begun after it. */
  readonly graceMs?: number;
}

/**
 * What `work` answers, unless the limit or the signal ends the waiting. An answer or a failure that comes later is ignored.
 */
export async function within<T>(
  work: () => T | PromiseLike<T>,
  { limitMs, signal, graceMs = 0 }: WaitLimits,
): Promise<T> {
  if (graceMs === 0 && signal?.aborted) throw stopped(signal);
  const working = (async () => work())();
  working.catch(() => {});
  const timers: NodeJS.Timeout[] = [];
  const ended: (() => void)[] = [];
  const given = new Promise<never>((_, reject) => {
    const seconds = Math.round(limitMs / 100) / 10;
    timers.push(setTimeout(() => reject(new Error(`it gave no answer within ${seconds} s`)), limitMs));
    if (signal === undefined) return;
    const stop = () => void timers.push(setTimeout(() => reject(stopped(signal)), graceMs));
    // Any number may wait on one signal; each takes its listener away.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", stop, { once: true });
    ended.push(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([working, given]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    for (const end of ended) end();
  }
}

function stopped({ reason }: AbortSignal): Error {
  return new Error("it gave no answer before the call was stopped", { cause: reason });
}
