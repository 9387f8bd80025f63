import type { Diagnostic } from "../../domain/diagnostic.ts";
import { type Variant, VARIANTS } from "../../domain/trial.ts";
import { problemAt } from "./foreign.ts";

/**
 * The variant that another tool's name for an arm stands for: `with_skill (iter4)`, `01_without_skill_haiku`, `baseline`,
 * BMad's `skill`, `bare` and `variant`. Null: the name says nothing about the skill.
 */
export function variantNamed(configuration: string): Variant | null {
  const name = configuration.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const exact = VARIANTS.find((variant) => variant === name);
  if (exact !== undefined) return exact;
  for (const [pattern, variant] of MEANINGS) if (pattern.test(name)) return variant;
  return null;
}

/** Runs of an arm that the name says nothing about. */
export function unknownArm(file: string, configuration: string): Diagnostic {
  return problemAt(
    file,
    "unknown-arm",
    `${JSON.stringify(configuration)} does not say whether the skill was there, so its runs are left out`,
  );
}

const MEANINGS: readonly (readonly [RegExp, Variant])[] = [
  [/without|no_skill|(^|_)(bare|baseline|control|vanilla)(_|$)/, "without_skill"],
  [/(^|_)(old|previous|before)(_|$)/, "old_skill"],
  [/(^|_)(new|after|variant|candidate)(_|$)/, "new_skill"],
  [/(^|_)(with|skill|treatment)(_|$)/, "with_skill"],
];
