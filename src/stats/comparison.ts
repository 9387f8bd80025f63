import type { Interval } from "./intervals.ts";

/**
 * `no difference seen`: whatever difference the cases leave possible is too small to matter. `invalid`: no case was scored in
 * both arms. `underpowered`: a difference worth having could well have been missed.
 */
export type ArmVerdict = "better" | "worse" | "no difference seen" | "underpowered" | "invalid";

/** Two arms over the same cases, the case being the unit. Null where there is nothing to say. */
export interface PairedComparison {
  readonly verdict: ArmVerdict;
  /** Cases scored in both arms. */
  readonly cases: number;
  readonly casesLeftOut: number;
  readonly gains: number;
  readonly losses: number;
  readonly ties: number;
  /** Mean over cases of treatment minus baseline. */
  readonly lift: number | null;
  readonly interval: Interval | null;
  readonly alpha: number;
  readonly minEffect: number;
  readonly pValue: number | null;
  /** The lift that `casesNeeded` is about. */
  readonly plannedEffect: number | null;
  /** In all, for 80 % power; only for an underpowered comparison, and null where more would hardly help. */
  readonly casesNeeded: number | null;
}
