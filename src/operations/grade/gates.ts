import type { Iteration } from "../../domain/iteration.ts";
import type { HELD_TO } from "../../options/grade.ts";
import type { Settled } from "../../options/table.ts";
import type { GateOptions } from "../../report/gates.ts";

/** What was said now, else what the iteration was run with: the same demands, unless somebody changes them. */
export function gatesOf(
  { allowMissing, minPassRate }: Pick<Settled<typeof HELD_TO>, "allowMissing" | "minPassRate">,
  iteration: Pick<Iteration, "options"> | null,
): GateOptions {
  const recorded = (name: string) => {
    const value = iteration?.options[name];
    return typeof value === "number" ? value : null;
  };
  return {
    allowMissing: allowMissing ?? recorded("allowMissing") ?? 0,
    minPassRate: minPassRate ?? recorded("minPassRate"),
  };
}
