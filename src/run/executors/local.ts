import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { Executor, Job } from "../executor.ts";

export interface LocalOptions {
  /** Jobs at once. */
  readonly concurrency: number;
  readonly memory?: MemoryAdmission;
}

/** A job starts only while this much memory is free; one may always run. */
interface MemoryAdmission {
  readonly floorBytes: number;
  readonly freeBytes: () => number;
  readonly recheckMs: number;
}

/** Runs jobs in this process, several at once, as far as memory goes. */
export function local({ concurrency, memory = DEFAULT_ADMISSION }: LocalOptions): Executor {
  return {
    name: "local",
    async run<T>(jobs: readonly Job<T>[], signal: AbortSignal): Promise<void> {
      const stop = new AbortController();
      setMaxListeners(0, stop.signal);
      const forward = (): void => stop.abort(signal.reason);
      if (signal.aborted) forward();
      signal.addEventListener("abort", forward, { once: true });
      try {
        await runAll(jobs, { stop, concurrency, memory });
      } finally {
        signal.removeEventListener("abort", forward);
      }
    },
  };
}

/** About what one agent needs while it works. */
const BYTES_PER_AGENT = 0.75 * 1024 ** 3;
/** Agents mostly wait for their model, so a core can look after two. */
const AGENTS_PER_CORE = 2;

/** How many agents this machine can look after at once. */
export function defaultConcurrency({
  cores,
  freeMemoryBytes,
}: {
  cores: number;
  freeMemoryBytes: number;
}): number {
  const byMemory = Math.floor(freeMemoryBytes / BYTES_PER_AGENT);
  return Math.max(1, Math.min(cores * AGENTS_PER_CORE, byMemory));
}

/** What `defaultConcurrency` asks for, of this machine and within the limits of a container. */
export function machineCapacity(): { cores: number; freeMemoryBytes: number } {
  return { cores: availableParallelism(), freeMemoryBytes: process.availableMemory() };
}

const DEFAULT_ADMISSION: MemoryAdmission = {
  floorBytes: BYTES_PER_AGENT,
  freeBytes: () => process.availableMemory(),
  recheckMs: 250,
};

interface Load {
  readonly stop: AbortController;
  readonly concurrency: number;
  readonly memory: MemoryAdmission;
}

async function runAll<T>(jobs: readonly Job<T>[], { stop, concurrency, memory }: Load): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const runOne = async (job: Job<T>): Promise<void> => {
    try {
      await job.run(stop.signal);
    } catch (error) {
      failures.push(error);
      stop.abort(error);
    }
  };
  for (const job of jobs) {
    while (running.size >= concurrency && !stop.signal.aborted) await Promise.race(running);
    while (running.size > 0 && memory.freeBytes() < memory.floorBytes && !stop.signal.aborted) {
      await Promise.race([...running, pause(memory.recheckMs, stop.signal)]);
    }
    if (stop.signal.aborted) break;
    const ended = runOne(job).finally(() => running.delete(ended));
    running.add(ended);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

/** Ends early, and without a rejection, when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
