import type { Iteration } from "../domain/iteration.ts";
import type { Gate } from "../domain/summary.ts";
import type { Variant } from "../domain/trial.ts";

/**
 * Is the variant held to its checks? What a skill is compared with is not; where no skill was installed, as for Skillet's
 * files without `--skill`, there is nothing else to hold to them.
 */
export function isHeld(variant: Variant, { skill }: Pick<Iteration, "skill">): boolean {
  if (variant === "old_skill") return false;
  return variant !== "without_skill" || skill === null;
}

/**
 * Why a failed check, or a missed bound, of a case does not count against it; null: it counts. Without a gate of its own, as in
 * a benchmark, a case decides nothing.
 */
export function whyBorne(gate: Gate | undefined): string | null {
  if (gate === undefined) return "no gate asks for it";
  return gate.met ? "the case's gate is met" : null;
}
