import type { Flip, FlipChange } from "../../domain/flip.ts";
import type { Purpose } from "../../domain/iteration.ts";
import type { IterationProgress } from "../../domain/pages.ts";
import type { Remark } from "../../domain/summary.ts";
import type { Variant } from "../../domain/trial.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { MarkKind } from "./parts/mark.tsx";

interface FlipText {
  readonly mark: MarkKind;
  readonly words: (flip: Flip, since: number | undefined) => string;
}

export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  passed: "passed",
  failed: "failed",
  unsettled: "unsettled",
  "left-out": "not counted",
};

/** Who decides a check. */
export const DECIDED_BY: Readonly<Record<Verdict["layer"], string>> = {
  L1: "code",
  L2: "extracted",
  L3: "judge",
  trigger: "trigger",
};

export const VARIANTS: Readonly<Record<Variant, string>> = {
  with_skill: "with skill",
  without_skill: "without",
  old_skill: "old",
  new_skill: "new",
  inline: "in the prompt",
};

export const OTHER_ARM: Readonly<Record<Variant, Variant | null>> = {
  with_skill: "without_skill",
  without_skill: "with_skill",
  old_skill: "new_skill",
  new_skill: "old_skill",
  inline: null,
};

export const PURPOSES: Readonly<Record<Purpose, string>> = {
  run: "run",
  bench: "benchmark",
  compare: "comparison",
  "improve-draft": "draft",
  description: "description",
  controls: "controls",
  capture: "capture",
  smoke: "smoke test",
};

export const PROGRESS: Readonly<Record<IterationProgress, string>> = {
  running: "Running now",
  complete: "Complete",
  interrupted: "Interrupted",
  "broken-off": "Broke off",
};

export const FLIPS: Readonly<Record<FlipChange, FlipText>> = {
  regressed: { mark: "failed", words: (flip) => `regressed ${fromTo(flip)}` },
  fixed: { mark: "passed", words: (flip) => `fixed ${fromTo(flip)}` },
  moved: { mark: "unsettled", words: (flip) => `moved ${fromTo(flip)}` },
  changed: { mark: "left-out", words: () => "another check now" },
  new: { mark: "left-out", words: () => "new" },
  removed: { mark: "left-out", words: () => "removed" },
  unscored: { mark: "left-out", words: () => "not scored on one side" },
  same: { mark: "left-out", words: () => "same" },
};

export const SAVED = { saved: "saved", saving: "saving…", unsaved: "typing…" } as const;

export const REMARKS: Readonly<Record<Remark["kind"], string>> = {
  "speaks-to-judge": "addresses the judge",
  "weak-check": "weak check",
  "not-covered": "not covered",
  "false-claim": "false claim",
  uncertainty: "the agent is unsure",
  "needs-review": "needs review",
  workaround: "workaround",
};

function fromTo({ before, after }: Flip): string {
  return `${before?.passed ?? "–"}/${before?.runs ?? "–"} → ${after?.passed ?? "–"}/${after?.runs ?? "–"}`;
}
