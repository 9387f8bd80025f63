import type { Machine } from "../../machine.ts";

/** Calls `on` with each event. One that throws is noted and left out from then on: who watches can stop nothing. */
export function listenerOf<E>(
  on: ((event: E) => void) | undefined,
  { note }: Pick<Machine, "note">,
): (event: E) => void {
  let hears = on;
  return (event) => {
    try {
      hears?.(event);
    } catch (error) {
      hears = undefined;
      note(`the listener failed and is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
