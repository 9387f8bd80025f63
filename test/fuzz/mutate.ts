/** Numbers of chance that are the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What breaks readers: ends, doubles, wrong kinds, large numbers, deep nesting, marks of every alphabet. */
const ODD = [
  "",
  "null",
  "true",
  "[]",
  "{}",
  "-1",
  "1e999",
  "9007199254740993",
  '"',
  "\\",
  "\u0000",
  "\u2028",
  "\ud800",
  "\ufeff",
  "__proto__",
  '"constructor":',
  "[".repeat(300),
  '{"a":'.repeat(300),
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
  "&a *a",
  "\n\n",
  "\r\n",
  ": ",
  "- ",
  "x".repeat(3000),
];

/** The text with one to four changes: cut, doubled, dropped, swapped, or something odd put in. */
export function mutated(text: string, next: () => number): string {
  let changed = text;
  const changes = 1 + Math.floor(next() * 4);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(next() * (changed.length + 1));
    const to = Math.min(changed.length, at + Math.floor(next() * 40));
    const odd = ODD[Math.floor(next() * ODD.length)] ?? "";
    switch (Math.floor(next() * 7)) {
      case 0:
        changed = changed.slice(0, at);
        break;
      case 1:
        changed = changed.slice(0, at) + changed.slice(at, to) + changed.slice(at);
        break;
      case 2:
        changed = changed.slice(0, at) + changed.slice(to);
        break;
      case 3:
        changed = changed.slice(0, at) + odd + changed.slice(to);
        break;
      case 4:
        changed = changed.replace(/"[^"]*"|\d+|true|false|null/g, (value) =>
          next() < 0.1 ? odd || "0" : value,
        );
        break;
      case 5:
        changed = changed.slice(to) + changed.slice(0, at);
        break;
      default:
        changed = changed.slice(0, at) + String.fromCharCode(Math.floor(next() * 65_536)) + changed.slice(at);
    }
  }
  return changed;
}
