import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import type { Flip } from "../../compare/flips.ts";
import type { Contender, Pair } from "../../compare/pair.ts";
import type { ComparisonFolder } from "../../store/layout.ts";
import type { Uncompared } from "./pairs.ts";

/** Everything a comparison is made of. */
export interface ComparedSides {
  readonly versions: Readonly<Record<Contender, string>>;
  /** Null where only single outputs are compared. */
  readonly flips: readonly Flip[] | null;
  readonly pairs: readonly Pair[];
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
  readonly folder: ComparisonFolder;
  readonly notes: readonly string[];
  /** Cases that both were to run, but that one has no run of that counts. */
  readonly uncompared: readonly Uncompared[];
}
