import type { Claim, ClaimOf, KindReading } from "./checks/index.ts";
import type { Layer } from "./checks/kind.ts";
import type { Json } from "./json.ts";

export type { Claim, ClaimKind } from "./checks/index.ts";
export type { JsonExpectation } from "./checks/field.ts";
export type { Layer } from "./checks/kind.ts";
export type { Section, SectionField, SectionTier } from "./section.ts";

/** One thing that must hold. */
export type Check = CheckHead & Claim;

interface CheckHead {
  /** Unique in its case; stable between loads, so that iterations can be compared. */
  readonly id: string;
  readonly layer: Layer;
  /** The statement as a person reads it. */
  readonly text: string;
  /** `with-skill` checks are not held against a baseline. */
  readonly appliesTo: "every-variant" | "with-skill";
  /** The entry as the file spells it where `text` alone would lose something; null otherwise. */
  readonly origin: Json;
}

/** On the output text. */
export type TextClaim = ClaimOf<KindReading<"output" | "urls">>;
/** On what the agent did. Tool names are matched exactly, without regard to case. */
export type TranscriptClaim = ClaimOf<KindReading<"transcript">>;
/** On files of the workspace after the run; `path` may be a glob except where content is read as JSON. */
export type FileClaim = ClaimOf<KindReading<"files">>;
/** On what the run cost; bounds inclusive. */
export type LimitClaim = ClaimOf<KindReading<"usage">>;
/** A trigger case's one check: on its query the skill under test fires, or does not. */
export type TriggerClaim = ClaimOf<"fires">;

/** The commands that `shell` checks ask for, each once. */
export function commandsOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap((check) => (check.kind === "shell" ? [check.command] : [])))];
}
