import { excessText } from "../domain/limits.ts";
import type { CommandEnd } from "../domain/run.ts";
import type { Supervised } from "./process/command.ts";

/** Setup and teardown get this long, each. */
export const SCRIPT_SECONDS = 30;

/** The command of a check gets this long. */
export const COMMAND_SECONDS = 60;

const MOST_OUTPUT = 2000;

/** Why a script did not do its work; null when it did. */
export function scriptProblem(name: "setup" | "teardown", supervised: Supervised): string | null {
  const { ending, stderrTail } = supervised;
  const said = stderrTail.trim() === "" ? "" : `: ${stderrTail.trim().slice(-500)}`;
  if (ending.kind !== "exited") {
    return `the ${name} script ${unended(supervised, SCRIPT_SECONDS)}${ending.kind === "timed-out" ? said : ""}`;
  }
  if (ending.code === 0) return null;
  return `the ${name} script ended with ${ending.code === null ? (ending.signal ?? "a signal") : `exit code ${ending.code}`}${said}`;
}

/** What the command of a check came to. */
export function commandEnd(command: string, supervised: Supervised): CommandEnd {
  const output = supervised.stderrTail.trim().slice(-MOST_OUTPUT);
  return { command, end: endOf(supervised), output };
}

function endOf(supervised: Supervised): CommandEnd["end"] {
  const { ending } = supervised;
  if (ending.kind === "exited" && ending.code !== null) return { status: "exited", code: ending.code };
  if (ending.kind === "timed-out") return { status: "timed-out", afterSeconds: COMMAND_SECONDS };
  return { status: "broken", reason: `the command ${unended(supervised, COMMAND_SECONDS)}` };
}

function unended({ ending }: Supervised, seconds: number): string {
  switch (ending.kind) {
    case "exited":
      return `was ended by ${ending.signal ?? "a signal"}`;
    case "timed-out":
      return `took longer than ${seconds} seconds`;
    case "over-limit":
      return `did not end by itself: ${excessText(ending.excess)}`;
    case "disk-full":
      return `found the disk full: nothing more could be written to ${ending.folder}`;
    case "not-started":
      return `could not be started: ${ending.reason}`;
    case "aborted":
    case "stopped":
      return "was interrupted";
  }
}
