import type { Diagnostic } from "./diagnostic.ts";

/** Something the user can fix. The command line prints it without a stack and exits 2. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: string;
  readonly hint: string | null;
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    code: string,
    message: string,
    options: { hint?: string; diagnostics?: readonly Diagnostic[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
    this.diagnostics = options.diagnostics ?? [];
  }
}
