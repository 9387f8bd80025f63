import type { JsonObject } from "./json.ts";

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
