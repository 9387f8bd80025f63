import { leftOut } from "../domain/left-out.ts";
import { excessText } from "../domain/limits.ts";
import type { Outcome } from "../domain/run.ts";
import type { Ending, Supervised } from "./process/command.ts";

/** The outcome where it was not the agent that ended the program; null when the agent ended by itself or had said enough. */
export function forcedOutcome({ ending, durationMs }: Supervised): Outcome | null {
  switch (ending.kind) {
    case "timed-out":
      return { status: "timed-out", afterMs: durationMs };
    case "aborted":
      return leftOut("interrupted", "the run was interrupted");
    case "over-limit":
      return { ...leftOut("over-limit", excessText(ending.excess)), excess: ending.excess };
    case "disk-full":
      return leftOut(
        "disk-full",
        `the disk was full while it worked: nothing more could be written to ${ending.folder}`,
      );
    case "not-started":
      return { status: "crashed", message: `the program could not be started: ${ending.reason}` };
    case "exited":
    case "stopped":
      return null;
  }
}

/** Until a session has begun, the client has shown nothing of the skill: whatever ended it is no verdict. */
export function beforeSession(outcome: Outcome, { begun }: { readonly begun: boolean }): Outcome {
  return begun || outcome.status !== "crashed" ? outcome : leftOut("invalid", outcome.message);
}

export function exitText(ending: Extract<Ending, { kind: "exited" }>): string {
  return ending.code === null
    ? `was ended by ${ending.signal ?? "a signal"}`
    : `ended with exit code ${ending.code}`;
}

/** What happened, with the first of these words behind it that says anything. */
export function inItsWords(what: string, ...words: readonly string[]): string {
  const said = words.map((text) => text.trim()).find((text) => text !== "");
  return said === undefined ? what : `${what}: ${said}`;
}

/** A line for people among a client's events, as something that fits into a message; "" for half an event. */
export function plainText(line: string): string {
  return line.startsWith("{") ? "" : line.trim().slice(0, 500);
}
