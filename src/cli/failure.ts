import { UserError } from "../domain/user-error.ts";
import { printable } from "../lib/printable.ts";
import { EXIT } from "./exit.ts";
import { renderDiagnostics } from "./render/diagnostics.ts";
import { painter } from "./render/paint.ts";
import type { Terminal } from "./terminal.ts";

/** Says what went wrong and answers the exit code: 2 when the user can put it right, 3 when it is our mistake. */
export function printFailure(error: unknown, terminal: Terminal): number {
  const decorated = terminal.decorated.err;
  const paint = painter(decorated);
  const word = paint("red", "error");
  if (error instanceof UserError) {
    terminal.err(renderDiagnostics(error.diagnostics, { decorated, cwd: terminal.cwd }));
    terminal.err(`${word}: ${printable(error.message)} ${paint("dim", `[${error.code}]`)}\n`);
    if (error.hint !== null) terminal.err(`  ${paint("dim", "hint:")} ${printable(error.hint)}\n`);
    return EXIT.wrongInput;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`${word}: Assay itself failed; nothing recorded so far is lost\n${printable(stack)}\n`);
  return EXIT.unfinished;
}
