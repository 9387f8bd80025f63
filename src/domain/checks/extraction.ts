import type { SectionField } from "../section.ts";
import { hostedKind } from "./kind.ts";

/** Code on what a model extracted from the output: a field of every entry of a section's tier. */
export const field = hostedKind<{
  readonly section: string;
  readonly tier: string;
  readonly field: SectionField;
}>()({ reads: "sections", layer: "L2" });

/** How many entries a section's tier has. */
export const entries = hostedKind<{
  readonly section: string;
  readonly tier: string;
  readonly min: number;
  readonly max: number | null;
}>()({ reads: "sections", layer: "L2" });
