import { UserError } from "../domain/user-error.ts";

/** A test runner shows nothing of an error but its message, so the message has it all. */
export async function withHint<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof UserError ? told(error) : error;
  }
}

/** An error of the caller, with its way out in the message. */
export function wrongUse(code: string, message: string, hint: string): UserError {
  return told(new UserError(code, message, { hint }));
}

function told({ code, message, hint, diagnostics, cause }: UserError): UserError {
  const places = diagnostics.map(({ at, message: problem }) =>
    at === null ? problem : `${at.file}:${at.line}: ${problem}`,
  );
  const text = [message, ...places, ...(hint === null ? [] : [hint])].join("\n");
  return new UserError(code, text, { ...(hint !== null && { hint }), diagnostics, cause });
}
