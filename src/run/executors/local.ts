import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import { recent } from "../../lib/recent.ts";
import type { Batch, Executor, Job } from "../executor.ts";
import { createPace, type Pace } from "../pace.ts";

export interface LocalOptions {
  /** Jobs at once. */
  readonly concurrency: number;
  /** Further jobs that are made ready meanwhile; absent: none. */
  readonly ahead?: number;
  /** What decides in the place of `concurrency`, where people can change it; absent: nobody can. */
  readonly pace?: Pace;
  readonly memory?: MemoryAdmission;
}

/** A job starts only while this much memory is free; one may always run. */
interface MemoryAdmission {
  readonly floorBytes: number;
  readonly freeBytes: () => number;
  readonly recheckMs: number;
}

/** Runs jobs in this process, several at once over all batches, as far as memory goes. */
export function local({
  concurrency,
  ahead = 0,
  pace = createPace(concurrency),
  memory = DEFAULT_ADMISSION,
}: LocalOptions): Executor {
  const pool = new Pool({ pace, ahead, memory });
  return { name: "local", run: (batch, signal) => pool.run(batch, signal) };
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
  // The system reads five files to tell, and no agent fills the memory that fast.
  freeBytes: recent(() => process.availableMemory(), 100),
  recheckMs: 250,
};

/** A batch of which something is still to start or to end. */
interface Active {
  readonly batch: Batch;
  readonly stop: AbortController;
  /** Index of the next job to start. */
  next: number;
  running: number;
  failure: { readonly error: unknown } | null;
  readonly settle: () => void;
}

/** Until then the first jobs have the machine to themselves: to start them takes all of it. */
const HEAD_START_MS = 100;

type PoolOptions = Required<Omit<LocalOptions, "concurrency">>;

class Pool {
  readonly #options: PoolOptions;
  /** Batches with jobs to start, the one whose turn it is first. */
  readonly #waiting: Active[] = [];
  #running = 0;
  #isWaiting = false;
  #headStart: "due" | "given" | "over" = "due";

  constructor(options: PoolOptions) {
    this.#options = options;
    options.pace.onChange(() => (this.#isStopping() ? this.#drain() : this.#fill()));
  }

  async run(batch: Batch, signal: AbortSignal): Promise<void> {
    if (batch.jobs.length === 0 || signal.aborted || this.#isStopping()) return;
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const { promise, resolve } = settling();
    const active: Active = { batch, stop, next: 0, running: 0, failure: null, settle: resolve };
    const onAbort = (): void => this.#stop(active, signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(active);
    this.#fill();
    await promise;
    signal.removeEventListener("abort", onAbort);
    if (active.failure !== null) throw active.failure.error;
  }

  /** Starts what there is room for, one job of each batch in turn. */
  #fill(): void {
    while (this.#hasRoom() && this.#hasMemory()) {
      const active = this.#waiting.shift();
      if (active === undefined) return;
      const job = active.batch.jobs[active.next++];
      if (job === undefined) continue;
      if (active.next < active.batch.jobs.length) this.#waiting.push(active);
      void this.#perform(job, active);
    }
  }

  async #perform(job: Job, active: Active): Promise<void> {
    active.running++;
    this.#running++;
    try {
      await active.batch.perform(job, active.stop.signal);
    } catch (error) {
      active.failure ??= { error };
      this.#stop(active, error);
    } finally {
      active.running--;
      this.#running--;
      this.#settle(active);
      this.#fill();
    }
  }

  #isStopping(): boolean {
    return this.#options.pace.state === "stopping";
  }

  /** What waits is given up; what has begun is not disturbed. */
  #drain(): void {
    for (const active of this.#waiting.splice(0)) {
      active.next = active.batch.jobs.length;
      this.#settle(active);
    }
  }

  #stop(active: Active, reason: unknown): void {
    active.next = active.batch.jobs.length;
    const place = this.#waiting.indexOf(active);
    if (place >= 0) this.#waiting.splice(place, 1);
    active.stop.abort(reason);
    this.#settle(active);
  }

  #settle(active: Active): void {
    if (active.running === 0 && active.next >= active.batch.jobs.length) active.settle();
  }

  #hasRoom(): boolean {
    const { pace, ahead } = this.#options;
    const { room } = pace;
    if (this.#running < room) return true;
    if (room === 0) return false;
    if (this.#headStart === "due" && this.#waiting.length > 0) {
      this.#headStart = "given";
      setTimeout(() => this.#goAhead(), HEAD_START_MS).unref();
    }
    return this.#headStart === "over" && this.#running < room + ahead;
  }

  #goAhead(): void {
    this.#headStart = "over";
    this.#fill();
  }

  /** One job may always run; for another, what is free is looked at again and again. */
  #hasMemory(): boolean {
    const { floorBytes, freeBytes, recheckMs } = this.#options.memory;
    if (this.#running === 0 || this.#waiting.length === 0 || freeBytes() >= floorBytes) return true;
    if (!this.#isWaiting) setTimeout(() => this.#lookAgain(), recheckMs).unref();
    this.#isWaiting = true;
    return false;
  }

  #lookAgain(): void {
    this.#isWaiting = false;
    this.#fill();
  }
}

function settling(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
