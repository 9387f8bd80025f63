import { painter, printable } from "../operations/text.ts";
import { diskFault, isDiskFault } from "../domain/disk-fault.ts";
import { UserError } from "../domain/user-error.ts";
import { EXIT } from "./exit.ts";
import { diagnosticsText } from "./render/diagnostics.ts";
import { fitted } from "./render/fitted.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Says what went wrong and answers the exit code: 2 when the user can fix it, 3 when it is our mistake, or when
 * the disk is full or fails: nothing is wrong with what was asked for.
 */
export function printFailure(thrown: unknown, terminal: Terminal): number {
  const first = firstOf(thrown);
  const error =
    first instanceof UserError ? first : (diskFault(first) ?? readOnly(first) ?? folderGone(first) ?? first);
  const paint = painter(terminal.decorated.err);
  const say = (line: string): void => terminal.err(fitted(`${line}\n`, terminal, "err"));
  const word = paint("red", "error");
  if (error instanceof UserError) {
    if (error.diagnostics.length > 0) terminal.err(diagnosticsText(error.diagnostics, terminal, "err"));
    say(`${word}: ${printable(error.message)} ${paint("dim", `[${error.code}]`)}`);
    if (error.hint !== null) say(`  ${paint("dim", "hint:")} ${printable(error.hint)}`);
    return isDiskFault(error) ? EXIT.unfinished : EXIT.wrongInput;
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

function readOnly(error: unknown): UserError | null {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== "EROFS") return null;
  return new UserError("store/unwritable", `the file system is read-only: ${message}`, {
    hint: "make it writable, then repeat the command; results can go elsewhere with --workspace",
    cause: error,
  });
}

function folderGone(error: unknown): UserError | null {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== "ENOENT" || syscall !== "uv_cwd") return null;
  return new UserError("machine/no-folder", "the folder that this command was started in no longer exists", {
    hint: "change to a folder that exists, then repeat the command",
    cause: error,
  });
}
