/** Decides where and when trials run; knows nothing of what a trial is. */
export interface Executor {
  readonly name: string;
  /**
   * Runs every job of the batch, in order of start, and settles when all that were started have ended. Batches that are run
   * at the same time take turns, so that a long one does not keep a short one waiting. After `signal` fires no further job
   * of the batch starts. A job that rejects is a mistake of ours: the rest of its batch is stopped and the error is thrown;
   * other batches continue.
   */
  run(batch: Batch, signal: AbortSignal): Promise<void>;
}

/** One piece of work, as data that can be sent to another machine. */
export interface Job {
  readonly id: string;
  /** Digest of everything that decides what the work does. */
  readonly key: string;
}

export interface Batch {
  readonly jobs: readonly Job[];
  /** Does one job on this machine. An executor that sends jobs elsewhere has a counterpart of this there. */
  readonly perform: (job: Job, signal: AbortSignal) => Promise<void>;
}
