import type { Interval } from "./intervals.ts";

/** `invalid`: no case was scored in both arms. `underpowered`: a difference worth having could well have been missed. */
export type ComparisonVerdict = "better" | "worse" | "no difference seen" | "underpowered" | "invalid";

/** Two arms over the same cases, the case being the unit. Null where there is nothing to say. */
export interface Comparison {
  readonly verdict: ComparisonVerdict;
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
  /** What the clearest possible outcome over these cases would have given. */
  readonly smallestPValue: number | null;
  /** What 80 % of such benchmarks would see. */
  readonly minimumDetectableEffect: number | null;
  /** The lift that `casesNeeded` and `runsNeeded` are about. */
  readonly plannedEffect: number | null;
  /** In all, for 80 % power; only for an underpowered comparison. */
  readonly casesNeeded: number | null;
  /** Per case and arm, where more runs of the same cases would do as well. */
  readonly runsNeeded: number | null;
  /** A sentence or two for a person. */
  readonly explanation: string;
}
