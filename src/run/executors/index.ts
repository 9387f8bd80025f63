import type { Executor } from "../executor.ts";
import { local } from "./local.ts";

export interface NamedExecutor {
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  /** `concurrency`: jobs at once. */
  readonly create: (options: { readonly concurrency: number }) => Executor;
}

/** Every executor there is. */
export const executors: readonly NamedExecutor[] = [
  { name: "local", help: "this machine, several trials at once as far as memory goes", create: local },
];
