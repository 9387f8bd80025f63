import { points } from "../format.ts";
import { TEXTS } from "../texts.ts";

interface Span {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A difference with its interval on a line from -100 to +100 points, where zero is drawn. */
export function Interval({ value, low, high, width = 140 }: Span & { readonly width?: number }) {
  if (value === null) return <span class="quiet">–</span>;
  const x = (share: number) => 4 + ((Math.max(-1, Math.min(1, share)) + 1) / 2) * (width - 8);
  const words = TEXTS.difference(value, low, high);
  return (
    <svg class="interval" width={width} height={16} viewBox={`0 0 ${width} 16`} role="img" aria-label={words}>
      <title>{words}</title>
      <line class="axis" x1={x(-1)} x2={x(1)} y1={8} y2={8} />
      <line class="zero" x1={x(0)} x2={x(0)} y1={1} y2={15} />
      {low !== null && high !== null && (
        <>
          <line class="span" x1={x(low)} x2={x(high)} y1={8} y2={8} />
          <line class="span" x1={x(low)} x2={x(low)} y1={4} y2={12} />
          <line class="span" x1={x(high)} x2={x(high)} y1={4} y2={12} />
        </>
      )}
      <circle class="point" cx={x(value)} cy={8} r={4} />
    </svg>
  );
}

/** A share with its interval on a line from 0 to 100 %, with a threshold. */
export function RateLine({ value, low, high, threshold }: Span & { readonly threshold?: number }) {
  const width = 140;
  if (value === null) return <span class="hatched" title={TEXTS.marks["left-out"]} />;
  const x = (share: number) => 4 + Math.max(0, Math.min(1, share)) * (width - 8);
  const words = TEXTS.rate(value, low, high);
  return (
    <svg class="interval" width={width} height={16} viewBox={`0 0 ${width} 16`} role="img" aria-label={words}>
      <title>{words}</title>
      <line class="axis" x1={x(0)} x2={x(1)} y1={8} y2={8} />
      {threshold !== undefined && <line class="zero" x1={x(threshold)} x2={x(threshold)} y1={1} y2={15} />}
      {low !== null && high !== null && <line class="span" x1={x(low)} x2={x(high)} y1={8} y2={8} />}
      <circle class="point" cx={x(value)} cy={8} r={4} />
    </svg>
  );
}

/** Shares over time, newest last; gaps where nothing was counted. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const shown = values.slice(-12);
  if (shown.length === 0) return <span class="quiet">–</span>;
  const words = TEXTS.trend(shown);
  return (
    <svg class="spark" width={72} height={20} viewBox="0 0 72 20" role="img" aria-label={words}>
      <title>{words}</title>
      {shown.map((value, at) =>
        value === null ? (
          <rect key={at} class="gap" x={at * 6} y={17} width={4} height={2} />
        ) : (
          <rect
            key={at}
            class="bar"
            x={at * 6}
            y={18 - value * 17}
            width={4}
            height={Math.max(1.5, value * 17)}
          />
        ),
      )}
    </svg>
  );
}

interface DotRow {
  readonly label: string;
  readonly filled: boolean;
  readonly values: readonly number[];
}

/** One dot per run, each arm on a line of its own, with the middle value marked. */
export function Dots({ title, rows, show }: DotsProps) {
  const most = Math.max(...rows.flatMap((row) => row.values), 0);
  const x = (value: number) => `${2 + (most === 0 ? 0 : value / most) * 96}%`;
  return (
    <figure class="dots">
      <figcaption>{title}</figcaption>
      {rows.map((row) => {
        const middle = medianOf(row.values);
        const shown = middle === null ? null : show(middle);
        const words = TEXTS.distribution(row.label, row.values.length, shown);
        return (
          <div key={row.label} class="dot-row">
            <span class="dot-label">{row.label}</span>
            <svg role="img" aria-label={words}>
              <title>{words}</title>
              <line class="axis" x1="2%" x2="98%" y1={12} y2={12} />
              {row.values.slice(0, MOST_DOTS).map((value, at) => (
                <circle
                  key={at}
                  class={row.filled ? "dot" : "dot hollow"}
                  cx={x(value)}
                  cy={12 + spread(at)}
                  r={3.5}
                />
              ))}
              {middle !== null && <line class="middle" x1={x(middle)} x2={x(middle)} y1={2} y2={22} />}
            </svg>
            <span class="dot-middle">{shown ?? "–"}</span>
          </div>
        );
      })}
    </figure>
  );
}

/** More would be a blot; the middle is of all. */
const MOST_DOTS = 400;

interface DotsProps {
  readonly title: string;
  readonly rows: readonly DotRow[];
  readonly show: (value: number) => string;
}

/** Keeps equal values from hiding each other; the same picture every time. */
function spread(at: number): number {
  return ((at * 7) % 9) - 4;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

export interface ForestRow extends Span {
  readonly key: string;
  readonly label: string;
  readonly href: string | null;
}

/** The difference of each case, worst first, and what they come to together. */
export function Forest({
  rows,
  total,
}: {
  readonly rows: readonly ForestRow[];
  readonly total: ForestRow | null;
}) {
  return (
    <div class="forest" role="list">
      {rows.map((row) => (
        <ForestLine key={row.key} row={row} />
      ))}
      {total !== null && <ForestLine row={total} strong />}
      <div class="forest-axis" aria-hidden="true">
        <span />
        <span class="ticks">
          <i>−100</i>
          <i>0</i>
          <i>+100</i>
        </span>
        <span />
      </div>
    </div>
  );
}

function ForestLine({ row, strong = false }: { readonly row: ForestRow; readonly strong?: boolean }) {
  return (
    <div class={strong ? "forest-row total" : "forest-row"} role="listitem">
      <span class="cut">{row.href === null ? row.label : <a href={row.href}>{row.label}</a>}</span>
      <Interval value={row.value} low={row.low} high={row.high} width={240} />
      <span class="number">{points(row.value)}</span>
    </div>
  );
}
