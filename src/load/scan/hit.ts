import type { ScanCode } from "./rules.ts";

/** A rule that does not hold at a place of one file's text. */
export interface ScanHit {
  readonly code: ScanCode;
  readonly offset: number;
  readonly message: string;
}

/** What a file is to whoever uses the skill. */
export type FileRole = "instructions" | "script" | "other";
