import type { Json, JsonObject } from "./json.ts";

/** L1 is decided by code, L2 by code on what a model extracted, L3 by a judge; a trigger by what the agent did. */
export type Layer = "L1" | "L2" | "L3" | "trigger";

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

export type Claim =
  | TextClaim
  | TranscriptClaim
  | FileClaim
  | LimitClaim
  | ExtractionClaim
  | JudgedClaim
  | TriggerClaim;

/** L1 on the output text. */
export type TextClaim =
  | { readonly kind: "contains"; readonly needle: string; readonly ignoreCase: boolean }
  | { readonly kind: "not_contains"; readonly needle: string; readonly ignoreCase: boolean }
  | { readonly kind: "starts_with"; readonly needle: string; readonly ignoreCase: boolean }
  | { readonly kind: "ends_with"; readonly needle: string; readonly ignoreCase: boolean }
  /** Python spelling, searched anywhere in the text. */
  | { readonly kind: "regex"; readonly pattern: string }
  /** Python spelling; `^` and `$` match at lines. */
  | { readonly kind: "min_count"; readonly pattern: string; readonly count: number }
  /** Lengths are in code points, bounds inclusive. */
  | { readonly kind: "min_length"; readonly length: number }
  | { readonly kind: "max_length"; readonly length: number }
  | { readonly kind: "has_urls"; readonly count: number }
  | { readonly kind: "has_entries"; readonly count: number }
  | { readonly kind: "urls_reachable"; readonly count: number }
  /** `format` is a registered name or a Python regex. */
  | { readonly kind: "has_format"; readonly format: string; readonly count: number }
  /** The last JSON block of the final message; `path` empty means the whole block. */
  | { readonly kind: "final_json"; readonly path: string; readonly expected: JsonExpectation };

/** L1 on what the agent did. Tool names are matched exactly, without regard to case. */
export type TranscriptClaim =
  | {
      readonly kind: "tool_called";
      readonly tool: string;
      readonly arguments: string | null;
      readonly count: number;
    }
  | { readonly kind: "tool_not_called"; readonly tool: string; readonly arguments: string | null }
  | { readonly kind: "tool_order"; readonly tools: readonly string[] }
  | { readonly kind: "skill_loaded"; readonly skill: string | null }
  | { readonly kind: "no_denied_tools" };

/** L1 on files of the workspace after the run; `path` may be a glob except where content is read as JSON. */
export type FileClaim =
  | { readonly kind: "file_exists"; readonly path: string }
  | { readonly kind: "file_absent"; readonly path: string }
  | { readonly kind: "file_matches"; readonly path: string; readonly pattern: string }
  | {
      readonly kind: "file_json";
      readonly path: string;
      readonly at: string;
      readonly expected: JsonExpectation;
    }
  | { readonly kind: "file_unchanged"; readonly path: string };

/** L1 on what the run cost; bounds inclusive. */
export type LimitClaim = {
  readonly kind: "max_cost_usd" | "max_tokens" | "max_duration_seconds" | "max_turns";
  readonly limit: number;
};

/** What a JSON value must be: present, equal to a value, or a text matching a Python regex. */
export type JsonExpectation =
  | { readonly kind: "present" }
  | { readonly kind: "equals"; readonly value: Json }
  | { readonly kind: "matches"; readonly pattern: string };

/** L2: code on what a model extracted from the output. */
type ExtractionClaim =
  | { readonly kind: "field"; readonly section: string; readonly tier: string; readonly field: SectionField }
  | {
      readonly kind: "entries";
      readonly section: string;
      readonly tier: string;
      readonly min: number;
      readonly max: number | null;
    };

/** L3: a statement only a reader can decide. */
export type JudgedClaim = { readonly kind: "criterion" };

/** A trigger case's one check: on its query the skill under test fires, or does not. */
export type TriggerClaim = {
  readonly kind: "fires";
  readonly expected: boolean;
  /** The one skill out of many that must answer: on a near miss (`expected` false) the rival; null where none is named. */
  readonly skill: string | null;
  /** Skills that must stay silent whatever else fires. */
  readonly forbidden: readonly string[];
};

export type ClaimKind = Claim["kind"];

/** What a model is asked to extract from the output. */
export interface Section {
  readonly name: string;
  readonly tiers: readonly SectionTier[];
  readonly extras: JsonObject;
}

export interface SectionTier {
  readonly label: string;
  readonly description: string | null;
  readonly minEntries: number | null;
  readonly maxEntries: number | null;
  readonly fields: readonly SectionField[];
  readonly extras: JsonObject;
}

export interface SectionField {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  /** A registered format name or a Python regex for a full match; null means any value. */
  readonly format: string | null;
  readonly extras: JsonObject;
}
