import { UserError } from "./user-error.ts";

/**
 * A disk that is full or fails, as something the user can act on; null: the error is about something else. Nothing is wrong
 * with what was asked for, so it can be gone on with. `file` is for errors that do not name it themselves.
 */
export function diskFault(error: unknown, file: string | null = null): UserError | null {
  const { code = "", message, path, dest } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const what = file ?? dest ?? path ?? null;
  if (code === "ENOSPC" || code === "EDQUOT") {
    const said = what === null ? message : `${what} could not be written`;
    return new UserError("store/disk-full", `the disk is full: ${said}`, {
      hint: `free some space, then ${GO_ON}`,
      cause: error,
    });
  }
  if (code !== "EIO") return null;
  const said = what === null ? message : `${what} could not be written or read (${message})`;
  return new UserError("store/disk-failed", `the disk failed: ${said}`, {
    hint: `the system's log may say why; when the disk works again, ${GO_ON}`,
    cause: error,
  });
}

const GO_ON = "repeat the command (run, bench and compare with --resume); what was finished is kept";

/** Whether a UserError is about the disk and not about what was asked for. */
export function isDiskFault({ code }: UserError): boolean {
  return /\/disk-(?:full|failed)$/.test(code);
}
