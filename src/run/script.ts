import { excessText } from "../domain/limits.ts";
import type { Supervised } from "./process/command.ts";

/** Setup and teardown get this long, each. */
export const SCRIPT_SECONDS = 30;

/** Why a script did not do its work; null when it did. */
export function scriptProblem(name: "setup" | "teardown", { ending, stderrTail }: Supervised): string | null {
  const said = stderrTail.trim() === "" ? "" : `: ${stderrTail.trim().slice(-500)}`;
  switch (ending.kind) {
    case "exited":
      if (ending.code === 0) return null;
      return `the ${name} script ended with ${ending.code === null ? (ending.signal ?? "a signal") : `exit code ${ending.code}`}${said}`;
    case "timed-out":
      return `the ${name} script took longer than ${SCRIPT_SECONDS} seconds${said}`;
    case "over-limit":
      return `the ${name} script did not end by itself: ${excessText(ending.excess)}`;
    case "disk-full":
      return `the ${name} script found the disk full: nothing more could be written to ${ending.folder}`;
    case "not-started":
      return `the ${name} script could not be started: ${ending.reason}`;
    case "aborted":
    case "stopped":
      return `the ${name} script was interrupted`;
  }
}
