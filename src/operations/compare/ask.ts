import { createInterface } from "node:readline/promises";
import { UserError } from "../../domain/user-error.ts";
import { printable } from "../../lib/printable.ts";
import type { Terminal } from "../../cli/terminal.ts";

/** Asks at the terminal; throws where nobody is there to answer. */
export function askAt(terminal: Terminal): (text: string) => Promise<string> {
  return async (text) => {
    if (!terminal.interactive) {
      throw new UserError("compare/nobody", "--human needs somebody at a terminal", {
        hint: "call it where you can type; what was answered is kept",
      });
    }
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(printable(`\n${text}`));
    } finally {
      lines.close();
    }
  };
}
