import type { AlignedSpan } from "../../../../domain/run-pages.ts";

/** A line of the comparison: two steps beside each other, or equal ones folded. */
export type CompareRow =
  | { readonly kind: "fold"; readonly span: AlignedSpan; readonly steps: number }
  | {
      readonly kind: "pair";
      readonly a: number | null;
      readonly b: number | null;
      readonly differs: boolean;
    };

/** So many equal steps stay in sight before and after what differs. */
const AROUND = 2;

export function compareRows(
  spans: readonly AlignedSpan[],
  unfolded: ReadonlySet<AlignedSpan>,
): readonly CompareRow[] {
  return spans.flatMap((span, at) => {
    const pairs = pairsOf(span);
    if (span.kind !== "equal" || unfolded.has(span)) return pairs;
    const head = at === 0 ? 0 : AROUND;
    const tail = at === spans.length - 1 ? 0 : AROUND;
    const steps = pairs.length - head - tail;
    if (steps < 2) return pairs;
    return [...pairs.slice(0, head), { kind: "fold" as const, span, steps }, ...pairs.slice(head + steps)];
  });
}

function pairsOf({ kind, a, b }: AlignedSpan): CompareRow[] {
  const rows: CompareRow[] = [];
  const differs = kind !== "equal";
  for (let at = 0; at < Math.max(a[1] - a[0], b[1] - b[0]); at++)
    rows.push({
      kind: "pair",
      a: a[0] + at < a[1] ? a[0] + at : null,
      b: b[0] + at < b[1] ? b[0] + at : null,
      differs,
    });
  return rows;
}
