import type { Executor } from "../executor.ts";
import type { Pace } from "../pace.ts";
import { local } from "./local.ts";

export interface ExecutorOptions {
  /** Jobs at once. */
  readonly concurrency: number;
  /** Further jobs that are made ready meanwhile; absent: none. */
  readonly ahead?: number;
  /** What decides in the place of `concurrency`, where people can change it; absent: nobody can. */
  readonly pace?: Pace;
}

export interface NamedExecutor {
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  readonly create: (options: ExecutorOptions) => Executor;
}

/** Every executor there is. */
export const executors: readonly NamedExecutor[] = [
  { name: "local", help: "this machine, as many trials at once as memory allows", create: local },
];
