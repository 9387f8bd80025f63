import { EXIT } from "./exit.ts";
import { fitted } from "./render/fitted.ts";
import type { Terminal } from "./terminal.ts";

const STOPPING =
  "interrupted: stopping the running trials; continue with the same command and --resume (press Ctrl-C again to quit now)";

/** First Ctrl-C: the signal fires, so nothing new starts and what runs is stopped. Second: the end, at once. What throws the signal's reason was interrupted, no more. */
export async function interruptible(
  terminal: Terminal,
  action: (signal: AbortSignal) => Promise<number>,
  message: string = STOPPING,
): Promise<number> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    terminal.err(fitted(`\n${message}\n`, terminal, "err"));
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    return await action(controller.signal);
  } catch (error) {
    if (controller.signal.aborted && error === controller.signal.reason) return EXIT.interrupted;
    throw error;
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}
