import type { Determinants } from "./plan.ts";
import type { Variant } from "./trial.ts";

/** What the keys of an iteration's trials were made from, in parts small enough to name the one that changed. */
export interface Basis extends Determinants {
  /** Digest of each thing that the agent is told, by the option that says it. */
  readonly told: Readonly<Record<string, string>>;
  /** Digest of what trigger queries are staged with. */
  readonly probe: string;
  /** The skill of each variant that has one. */
  readonly skills: Readonly<Partial<Record<Variant, SkillParts>>>;
}

/** Digests of what a skill consists of. */
export interface SkillParts {
  /** Path of SKILL.md or of the command file, relative to the skill. */
  readonly main: string;
  readonly description: string;
  /** The frontmatter without the description. */
  readonly frontmatter: string;
  readonly body: string;
  /** Every file of it, by relative path, the main one too. */
  readonly files: Readonly<Record<string, string>>;
}
