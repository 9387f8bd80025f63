import type { Iteration } from "../domain/iteration.ts";

/** The model only where one was asked for: the client's own is not known yet. */
export function iterationName({ suite, model }: Pick<Iteration, "suite" | "model">): string {
  return model === null ? suite : `${suite} (${model})`;
}
