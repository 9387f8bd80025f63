/** What a log of a session with an agent tells that matters for a case. */
export interface Session {
  readonly client: "claude-code" | "codex" | "transcript";
  /** Of the client; null: the log does not say. */
  readonly version: string | null;
  /** Where it worked; null: the log does not say. */
  readonly cwd: string | null;
  readonly events: readonly SessionEvent[];
  /** What of the log could not be used, in words. */
  readonly problems: readonly string[];
}

export type SessionEvent =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string }
  /** `whole` is false where only a part of the file was shown. */
  | { readonly kind: "read"; readonly path: string; readonly content: string; readonly whole: boolean }
  | { readonly kind: "wrote"; readonly path: string };

/** Hears the lines of one kind of log. */
export interface LogReader {
  readonly version: string | null;
  readonly cwd: string | null;
  /** True: the line is of this kind of log, whether or not it tells anything. */
  hear(record: Readonly<Record<string, unknown>>): boolean;
}

export type Tell = (event: SessionEvent) => void;
