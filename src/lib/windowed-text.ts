/**
 * Rewrites what begins in `held` from `from` on and before `until`; looks back before `from` only for context. Answers what
 * that became, and how far it went.
 */
export type Rewrite = (
  held: string,
  from: number,
  until: number,
) => { readonly out: string; readonly end: number };

/** A rewriting of text that arrives in pieces. */
export interface Windowed {
  push(piece: string): string;
  end(): string;
}

/**
 * The same for every way of cutting the text, if nothing that `rewrite` finds is longer than the window: what begins before
 * the last window of what has arrived is found whole. What is before it is let go; the window waits for more.
 */
export function windowed(
  rewrite: Rewrite,
  { window, context }: { window: number; context: number },
): Windowed {
  let before = "";
  let waiting = "";
  const release = (until: number): string => {
    const held = before + waiting;
    const { out, end } = rewrite(held, before.length, before.length + until);
    before = held.slice(Math.max(0, end - context), end);
    waiting = held.slice(end);
    return out;
  };
  return {
    push(piece) {
      waiting += piece;
      return waiting.length < window * 4 ? "" : release(waiting.length - window);
    },
    end: () => release(waiting.length),
  };
}
