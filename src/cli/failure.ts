import { UserError } from "../domain/user-error.ts";
import { EXIT } from "./exit.ts";
import { renderDiagnostics } from "./render/diagnostics.ts";
import type { Terminal } from "./terminal.ts";

/** Says what went wrong and answers the exit code: 2 when the user can put it right, 3 when it is our mistake. */
export function printFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof UserError) {
    terminal.err(
      renderDiagnostics(error.diagnostics, { decorated: terminal.decorated.err, cwd: terminal.cwd }),
    );
    terminal.err(`error: ${error.message} [${error.code}]\n`);
    if (error.hint !== null) terminal.err(`  hint: ${error.hint}\n`);
    return EXIT.wrongInput;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`error: Assay itself failed; nothing recorded so far is lost\n${stack}\n`);
  return EXIT.unfinished;
}
