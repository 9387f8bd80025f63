import type { Iteration, Purpose } from "../../domain/iteration.ts";

/** With every field of today. Iterations made before they had a purpose tell it by their group, their arms and their skill's place. */
export function withPurpose(
  iteration: Omit<Iteration, "purpose"> & { readonly purpose?: Purpose },
): Iteration {
  return { ...iteration, purpose: iteration.purpose ?? oldPurpose(iteration) };
}

function oldPurpose({ group, options, skill }: Omit<Iteration, "purpose">): Purpose {
  if (group?.startsWith("compare-") === true) return "compare";
  if (options["bench"] !== undefined) return "bench";
  const path = skill?.path.replaceAll("\\", "/") ?? "";
  if (/\/v\d+\/skill(\/|$)/.test(path)) return "improve-draft";
  return /\/descriptions\/[0-9a-f]{12}\/skill(\/|$)/.test(path) ? "description" : "run";
}
