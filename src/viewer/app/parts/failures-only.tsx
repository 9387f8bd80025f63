import type { KeyMap } from "../keys.ts";
import { adjust, setting } from "../router.ts";
import { TEXTS } from "../texts.ts";

/** Only what did not pass is wanted. */
export function onlyFailures(): boolean {
  return setting("f") === "1";
}

const toggle = () => adjust({ f: onlyFailures() ? null : "1" });

export const FAILURES_KEY: KeyMap = { f: { does: TEXTS.keys.failures, run: toggle } };

export function FailuresOnly() {
  return (
    <button type="button" aria-pressed={onlyFailures()} onClick={toggle}>
      {TEXTS.failuresOnly}
    </button>
  );
}
