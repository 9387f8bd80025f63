/** Decides where and when trials run; knows nothing of what a trial is. */
export interface Executor {
  readonly name: string;
  /**
   * Runs every job, in order of start, and settles when all that were started have ended. After `signal` fires no
   * further job starts. A job that rejects is a mistake of ours: the rest is stopped and the error is thrown.
   */
  run<T>(jobs: readonly Job<T>[], signal: AbortSignal): Promise<void>;
}

export interface Job<T> {
  readonly id: string;
  readonly run: (signal: AbortSignal) => Promise<T>;
}
