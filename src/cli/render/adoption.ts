import { printable } from "../../operations/text.ts";
import type { Adoption } from "../../operations/improve.ts";
import { printFailure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** Says what became of a change that was to be written: `done`, or why not. Answers the exit code of a refusal, else null. */
export function sayAdoption(adoption: Adoption, done: string, terminal: Terminal): number | null {
  switch (adoption.status) {
    case "applied":
      terminal.err(`${printable(done)}\n`);
      return null;
    case "withheld":
      terminal.err(`not applied: ${WITHHELD[adoption.why]}\n`);
      return null;
    case "refused":
      return printFailure(adoption.error, terminal);
    case "not-asked":
    case "nothing-new":
      return null;
  }
}

const WITHHELD = {
  unfinished: "it ended too early",
  unconfirmed: "fresh runs do not confirm that what was chosen is better",
} as const;
