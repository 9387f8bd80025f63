import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Heights } from "./heights.ts";

const BEYOND_PX = 400;

interface VirtualListProps {
  readonly count: number;
  /** A guess at the height of a row, until it is drawn. */
  readonly estimate: number;
  readonly row: (index: number) => ComponentChildren;
  readonly label: string;
  /** Kept in sight. */
  readonly active?: number | null;
  /** What is in sight, so that it can be fetched. */
  readonly onRange?: (first: number, last: number) => void;
  /** As high as its rows, but at most this; absent: as high as what it stands in. */
  readonly fit?: string;
  /** Rows keep what was measured as long as this stays the same. */
  readonly version?: string;
}

/** Draws only the rows in sight, however many there are; a row may have any height and change it. */
export function VirtualList({
  count,
  estimate,
  row,
  label,
  active,
  onRange,
  version,
  fit,
}: VirtualListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => new Heights(count, estimate), [count, estimate, version]);
  const [, redraw] = useState(0);
  const [view, setView] = useState({ top: 0, height: 600 });
  const first = heights.rowAt(Math.max(0, view.top - BEYOND_PX));
  const last = Math.min(count - 1, heights.rowAt(view.top + view.height + BEYOND_PX));
  useFollowing(scroller, setView);
  useEffect(() => {
    if (count > 0) onRange?.(first, last);
  }, [first, last, count, onRange]);
  useLayoutEffect(() => {
    let changed = false;
    for (const element of scroller.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])
      changed = heights.measure(Number(element.dataset["row"]), element.offsetHeight) || changed;
    if (changed) redraw((times) => times + 1);
  });
  useEffect(() => {
    const box = scroller.current;
    if (box === null || active === undefined || active === null || active < 0) return;
    const top = heights.offset(active);
    const bottom = heights.offset(active + 1);
    const hidden = top < box.scrollTop || bottom > box.scrollTop + box.clientHeight;
    if (hidden) box.scrollTop = top - box.clientHeight / 3;
  }, [active, heights]);
  const rows = [];
  for (let index = first; index <= last && index < count; index++)
    rows.push(
      <div key={index} data-row={index} role="listitem" aria-setsize={count} aria-posinset={index + 1}>
        {row(index)}
      </div>,
    );
  return (
    <div
      class="virtual"
      ref={scroller}
      tabIndex={0}
      role="list"
      aria-label={label}
      style={fit === undefined ? {} : { height: `min(${fit}, ${heights.offset(count)}px)` }}
    >
      <div class="virtual-all" style={{ height: `${heights.offset(count)}px` }} role="presentation">
        <div class="virtual-shown" style={{ top: `${heights.offset(first)}px` }} role="presentation">
          {rows}
        </div>
      </div>
    </div>
  );
}

function useFollowing(
  scroller: RefObject<HTMLDivElement | null>,
  setView: (view: { readonly top: number; readonly height: number }) => void,
): void {
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const read = () => setView({ top: box.scrollTop, height: box.clientHeight });
    const watch = new ResizeObserver(read);
    watch.observe(box);
    box.addEventListener("scroll", read, { passive: true });
    read();
    return () => {
      watch.disconnect();
      box.removeEventListener("scroll", read);
    };
  }, []);
}
