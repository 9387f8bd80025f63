import { addressedIn } from "../addressed/addressed.ts";
import { lineAt, type Passage } from "./passage.ts";

/** A passage without what in it speaks to the judge, and that apart. */
export interface Sifted {
  readonly honest: readonly Passage[];
  readonly addressed: readonly Passage[];
}

/** A pack is looked up once for each quotation, so its passages are sifted once. */
const known = new WeakMap<Passage, Sifted>();

export function sifted(passage: Passage): Sifted {
  const before = known.get(passage);
  if (before !== undefined) return before;
  const made = sift(passage);
  known.set(passage, made);
  return made;
}

function sift(passage: Passage): Sifted {
  const found = addressedIn(passage.text);
  if (found.length === 0) return { honest: [passage], addressed: [] };
  const piece = (start: number, end: number): Passage => ({
    text: passage.text.slice(start, end),
    line: passage.line + lineAt(passage.text, start) - 1,
  });
  const honest: Passage[] = [];
  let from = 0;
  for (const { start, end } of found) {
    if (start > from) honest.push(piece(from, start));
    from = end;
  }
  if (from < passage.text.length) honest.push(piece(from, passage.text.length));
  return {
    honest: honest.filter(({ text }) => text.trim() !== ""),
    addressed: found.map(({ start, end }) => piece(start, end)),
  };
}
