import type { UserError } from "../../domain/user-error.ts";

/** What a look ahead found out about one thing that a run needs. */
export interface Finding {
  readonly subject: Subject;
  /** `note`: it works, but somebody should know; `skipped`: it cannot be told from here, or nothing needs it. */
  readonly status: "ok" | "note" | "failed" | "skipped";
  /** A sentence. */
  readonly message: string;
  /** What to do about it, as a command where there is one; null: nothing. */
  readonly fix: string | null;
}

export type Subject =
  | "agent"
  | "login"
  | "model"
  | "judge"
  | "sandbox"
  | "git"
  | "disk"
  | "path"
  | "results"
  | "project"
  | "evals";

export const ok = (subject: Subject, message: string): Finding => found(subject, "ok", message);
export const skipped = (subject: Subject, message: string): Finding => found(subject, "skipped", message);
export const noted = (subject: Subject, message: string, fix: string): Finding =>
  found(subject, "note", message, fix);
export const failed = (subject: Subject, message: string, fix: string): Finding =>
  found(subject, "failed", message, fix);

/** What an error says, as a sentence among others. */
export function failedBy(subject: Subject, { message, hint }: UserError, otherwise: string): Finding {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return failed(subject, /[.?!]$/.test(sentence) ? sentence : `${sentence}.`, hint ?? otherwise);
}

function found(
  subject: Subject,
  status: Finding["status"],
  message: string,
  fix: string | null = null,
): Finding {
  return { subject, status, message, fix };
}
