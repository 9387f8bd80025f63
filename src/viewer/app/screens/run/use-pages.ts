import { useCallback, useRef, useState } from "preact/hooks";
import type { RunAddress, TimelineEvent } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { load } from "../../source.ts";

interface Pages {
  /** Undefined: not here yet. */
  readonly eventAt: (index: number) => TimelineEvent | undefined;
  /** Asks for what lies between two events. */
  readonly want: (first: number, last: number) => void;
}

/** So many pages are held; the farthest are let go. */
const HELD = 40;

/** The texts of a timeline, page by page, as they come into sight. */
export function usePages(at: RunAddress, pageSize: number): Pages {
  const pages = useRef(new Map<number, readonly TimelineEvent[]>());
  const asked = useRef(new Set<number>());
  const of = useRef("");
  const [, redraw] = useState(0);
  const name = `${at.skill}@${at.n}/${at.trial}`;
  if (of.current !== name) {
    of.current = name;
    pages.current = new Map();
    asked.current = new Set();
  }
  const want = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        const show = (events: readonly TimelineEvent[]) => {
          if (of.current !== name) return;
          pages.current.set(page, events);
          forgetFar(pages.current, asked.current, page);
          redraw((times) => times + 1);
        };
        load(ask.timeline(at, page)).then(
          ({ events }) => show(events),
          () => asked.current.delete(page),
        );
      }
    },
    [name, pageSize],
  );
  return { eventAt: (index) => pages.current.get(Math.floor(index / pageSize))?.[index % pageSize], want };
}

function forgetFar(pages: Map<number, unknown>, asked: Set<number>, near: number): void {
  while (pages.size > HELD) {
    const far = [...pages.keys()].reduce((a, b) => (Math.abs(a - near) > Math.abs(b - near) ? a : b));
    pages.delete(far);
    asked.delete(far);
  }
}
