import { escapeRegExp } from "./escape-reg-exp.ts";
import type { Rewrite } from "./windowed-text.ts";

/** Finds secrets that line ends cut in pieces, as MIME, `base64`, `xxd -p` and `fold` write them. */
export interface WrappedSecrets {
  readonly rewrite: Rewrite;
  /** Nothing that is found is longer. */
  readonly longest: number;
}

/** Of these spellings those made of letters, digits and `+/_-`; null where there are none. */
export function wrappedSecrets(forms: readonly string[], replacement: string): WrappedSecrets | null {
  const wrappable = [...new Set(forms)].filter((form) => /^[\w+/-]+$/.test(form));
  if (wrappable.length === 0) return null;
  const longestFirst = wrappable.toSorted((a, b) => b.length - a.length);
  const longest = longestFirst[0]?.length ?? 0;
  const search: Search = {
    pattern: new RegExp(longestFirst.map(escapeRegExp).join("|"), "g"),
    longest,
    shortest: longestFirst.at(-1)?.length ?? 0,
  };
  return {
    rewrite: (held, from, until) => rewrite(held, { from, until, search, replacement }),
    longest: longest * (1 + LONGEST_BREAK),
  };
}

interface Search {
  readonly pattern: RegExp;
  readonly longest: number;
  readonly shortest: number;
}

/** A line end, also as JSON and JSON in JSON write it, and how far the next line is indented. */
const BREAK = /(?:\r?\n|\\{1,4}(?:r\\{1,4})?n)[ \t]{0,16}/g;
const BREAK_HERE = new RegExp(BREAK.source, "y");
const LONGEST_BREAK = 26;

interface Rewriting {
  readonly from: number;
  readonly until: number;
  readonly search: Search;
  readonly replacement: string;
}

function rewrite(
  held: string,
  { from, until, search, replacement }: Rewriting,
): { out: string; end: number } {
  let out = "";
  let done = from;
  for (let at = from; ;) {
    const lines = nextLines(held, at, { first: done, longest: search.longest });
    if (lines === null || lines.start >= until) break;
    at = lines.end;
    for (const { start, end } of secretsIn(held, lines, search)) {
      if (start >= until) break;
      out += held.slice(done, start) + replacement;
      done = end;
    }
  }
  const end = Math.max(done, until);
  return { out: out + held.slice(done, end), end };
}

/** A stretch of the text, without the line ends in it. */
interface Lines {
  readonly start: number;
  readonly end: number;
  /** Where what remains is: parts of the text, in order. */
  readonly parts: readonly { readonly start: number; readonly end: number }[];
}

/** From the next line end between two characters of a spelling, as far as such lines go on. */
function nextLines(
  held: string,
  at: number,
  { first, longest }: { first: number; longest: number },
): Lines | null {
  BREAK.lastIndex = at;
  for (let found = BREAK.exec(held); found !== null; found = BREAK.exec(held)) {
    const next = BREAK.lastIndex;
    if (found.index <= first || !isSpelling(held, found.index - 1) || !isSpelling(held, next)) continue;
    const start = spellingBefore(held, found.index, Math.max(first, found.index - longest));
    const parts = [{ start, end: found.index }];
    for (let from = next; ;) {
      const end = spellingAfter(held, from);
      parts.push({ start: from, end });
      BREAK_HERE.lastIndex = end;
      if (!BREAK_HERE.test(held) || !isSpelling(held, BREAK_HERE.lastIndex)) return { start, end, parts };
      from = BREAK_HERE.lastIndex;
    }
  }
  return null;
}

function* secretsIn(
  held: string,
  { parts }: Lines,
  { pattern, shortest }: Search,
): Generator<{ start: number; end: number }> {
  const joined = parts.map(({ start, end }) => held.slice(start, end)).join("");
  if (joined.length < shortest) return;
  let part = 0;
  let before = 0;
  const placeOf = (offset: number): number => {
    for (; offset >= before + lengthOf(parts[part]); part++) before += lengthOf(parts[part]);
    return (parts[part]?.start ?? 0) + offset - before;
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(joined); match !== null; match = pattern.exec(joined)) {
    const after = pattern.lastIndex;
    yield { start: placeOf(match.index), end: placeOf(after - 1) + 1 };
    pattern.lastIndex = after;
  }
}

function lengthOf(part: { start: number; end: number } | undefined): number {
  return part === undefined ? Infinity : part.end - part.start;
}

function spellingBefore(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && isSpelling(text, start - 1)) start--;
  return start;
}

function spellingAfter(text: string, at: number): number {
  let end = at;
  while (isSpelling(text, end)) end++;
  return end;
}

/** Letters, digits and `+ / _ -`. False beyond the text. */
function isSpelling(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 0;
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 95
  );
}
