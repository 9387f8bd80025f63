import { TEXTS } from "../texts.ts";

/** What a color says, and its shape says again. */
export type MarkKind = "passed" | "failed" | "unsettled" | "left-out";

const SHAPES: Readonly<Record<MarkKind, string>> = {
  passed: "✓",
  failed: "✗",
  unsettled: "~",
  "left-out": "–",
};

export function Mark({
  kind,
  words = TEXTS.marks[kind],
}: {
  readonly kind: MarkKind;
  readonly words?: string;
}) {
  return (
    <span class={`mark ${kind}`} role="img" aria-label={words} title={words}>
      {SHAPES[kind]}
    </span>
  );
}
