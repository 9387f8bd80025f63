import { useState } from "preact/hooks";
import type { KeyMap } from "../keys.ts";
import { TEXTS } from "../texts.ts";

/** The line of a list that was chosen by keyboard, -1 until then, and the keys that choose another. */
export function useActive(count: number): { readonly active: number; readonly keys: KeyMap } {
  const [active, setActive] = useState(-1);
  const move = (by: number) => setActive((at) => Math.max(0, Math.min(count - 1, at + by)));
  return {
    active,
    keys: {
      j: { does: TEXTS.keys.down, run: () => move(1) },
      k: { does: TEXTS.keys.up, run: () => move(-1) },
    },
  };
}
