const MOST = 200;

/** Where a quote lies in a text; blanks may differ, and one of many lines is found by each of its lines. */
export function placesOf(text: string, quote: string): readonly (readonly [start: number, end: number])[] {
  const wanted = quote.trim();
  if (wanted === "") return [];
  const whole = allOf(text, wanted);
  if (whole.length > 0) return whole;
  return wanted
    .split(/\s*\n\s*/)
    .filter((line) => line.length > 3)
    .flatMap((line) => allOf(text, line).slice(0, 1))
    .toSorted(([a], [b]) => a - b)
    .filter(([start], at, all) => at === 0 || start >= (all[at - 1]?.[1] ?? 0));
}

function allOf(text: string, wanted: string): readonly (readonly [number, number])[] {
  const pattern = wanted
    .split(/\s+/)
    .map(escaped)
    .join(String.raw`\s+`);
  const found: (readonly [number, number])[] = [];
  for (const match of text.matchAll(new RegExp(pattern, "gi"))) {
    found.push([match.index, match.index + match[0].length]);
    if (found.length === MOST) break;
  }
  return found;
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
