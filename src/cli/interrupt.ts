import type { Terminal } from "./terminal.ts";

/** First Ctrl-C: start nothing new, stop what runs, keep what there is. Second: end at once. */
export async function interruptible(
  terminal: Terminal,
  action: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    terminal.err(
      "\ninterrupted: stopping the running trials; the same command with --resume goes on later (again to end at once)\n",
    );
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    return await action(controller.signal);
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}
