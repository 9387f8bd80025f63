import { printable } from "../operations/text.ts";
import { UserError } from "../domain/user-error.ts";
import { EXIT } from "./exit.ts";
import { renderDiagnostics } from "./render/diagnostics.ts";
import { painter } from "./render/paint.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Says what went wrong and answers the exit code: 2 when the user can fix it, 3 when it is our mistake, or when
 * the disk is full: nothing is wrong with what was asked for.
 */
export function printFailure(thrown: unknown, terminal: Terminal): number {
  const first = firstOf(thrown);
  const error = isDiskFull(first) ? diskFull(first) : first;
  const decorated = terminal.decorated.err;
  const paint = painter(decorated);
  const word = paint("red", "error");
  if (error instanceof UserError) {
    terminal.err(renderDiagnostics(error.diagnostics, { decorated, cwd: terminal.cwd }));
    terminal.err(`${word}: ${printable(error.message)} ${paint("dim", `[${error.code}]`)}\n`);
    if (error.hint !== null) terminal.err(`  ${paint("dim", "hint:")} ${printable(error.hint)}\n`);
    return error.code.endsWith("/disk-full") ? EXIT.unfinished : EXIT.wrongInput;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`${word}: Assay itself failed; nothing recorded so far is lost\n${printable(stack)}\n`);
  return EXIT.unfinished;
}

/** Where tidying up failed too, what came first says more. */
function firstOf(thrown: unknown): unknown {
  const { name, suppressed } = (thrown ?? {}) as { name?: unknown; suppressed?: unknown };
  return name === "SuppressedError" && suppressed !== undefined ? firstOf(suppressed) : thrown;
}

function isDiskFull(error: unknown): error is NodeJS.ErrnoException {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOSPC" || code === "EDQUOT";
}

function diskFull(error: NodeJS.ErrnoException): UserError {
  return new UserError("store/disk-full", `the disk is full: ${error.message}`, {
    hint: "free some space, then repeat the command (run, bench and compare with --resume); what was finished is kept",
    cause: error,
  });
}
