import { EXIT } from "../../cli/exit.ts";

/** What a stopped question rejects with is no failure: everything before it is kept. */
export function unlessStopped(signal: AbortSignal): (error: unknown) => number {
  return (error) => {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  };
}
