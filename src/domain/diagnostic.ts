/** A place in a file; lines and columns count from 1, columns in UTF-16 units as editors do. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error stops the file from being used; a note does not, unless `--strict` is given. */
export type Severity = "error" | "note";

/** One thing to tell the author about a file: where, what, and what to do. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, `area/what`, e.g. `clauditor/unknown-key`. */
  readonly code: string;
  readonly message: string;
  readonly at: Location | null;
  readonly hint: string | null;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
