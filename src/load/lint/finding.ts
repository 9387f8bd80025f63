import type { RuleCode } from "./rules.ts";

/** A rule that does not hold, before the profile decides how bad that is. */
export interface LintFinding {
  readonly rule: RuleCode;
  /** Into the skill file's text. */
  readonly offset: number;
  /** Absolute path, where the finding is about another file than the skill file. */
  readonly file?: string;
  readonly message: string;
  readonly hint?: string;
}
