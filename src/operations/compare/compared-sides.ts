import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import type { ChecksTogether, Flip } from "../../domain/flip.ts";
import type { Contender, Pair } from "../../compare/pair.ts";
import type { ComparisonFolder } from "../../store/layout.ts";
import type { Uncompared } from "./pairs.ts";

/** Everything a comparison is made of. */
export interface ComparedSides {
  readonly versions: Readonly<Record<Contender, string>>;
  /** Null where only single outputs are compared. */
  readonly flips: readonly Flip[] | null;
  /** All checks as one; null where only single outputs are compared, or none was decided on both sides. */
  readonly together: ChecksTogether | null;
  readonly pairs: readonly Pair[];
  /** What a p-value must reach; absent: 0.05. */
  readonly alpha?: number;
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
  readonly folder: ComparisonFolder;
  readonly notes: readonly string[];
  /** Cases that both were to run, but that one has no run of that counts. */
  readonly uncompared: readonly Uncompared[];
}
