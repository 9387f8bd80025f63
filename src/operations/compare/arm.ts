import { countsAs } from "../../domain/run.ts";
import type { Variant } from "../../domain/trial.ts";
import type { FoundIteration } from "../find-run.ts";

/** The runs of one variant of one iteration, as one side of a comparison. */
export interface IterationArm extends FoundIteration {
  readonly name: string;
  readonly number: number;
  readonly variant: Variant;
}

/** The models that answered, or were asked for where the client does not say; null where no run counts. */
export function modelsOf({ state, variant }: IterationArm): readonly string[] | null {
  const runs = [...state.runs.values()].filter(
    ({ trial, run }) => trial.variant === variant && countsAs(run.outcome) !== "left-out",
  );
  if (runs.length === 0) return null;
  const said = runs.flatMap(({ run }) => run.model ?? []);
  const asked = state.iteration?.model;
  return [...new Set(said.length > 0 ? said : [asked ?? "the client's default"])].toSorted();
}
