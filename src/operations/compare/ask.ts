import { createInterface } from "node:readline/promises";
import { UserError } from "../../domain/user-error.ts";
import { printable } from "../../lib/printable.ts";
import type { Machine } from "../../machine.ts";

/** Asks at the machine; throws where nobody is there to answer. */
export function askAt(machine: Machine): (text: string) => Promise<string> {
  return async (text) => {
    if (!machine.interactive) {
      throw new UserError("compare/nobody", "--human needs somebody at a machine", {
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
