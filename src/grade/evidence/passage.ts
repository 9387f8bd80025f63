/** A stretch of a text as it was shown, with the line of the original that it begins in, from 1. */
export interface Passage {
  readonly text: string;
  readonly line: number;
}

/** What is shown of one text. */
export interface Excerpt {
  readonly passages: readonly Passage[];
  /** Nothing was left out. */
  readonly whole: boolean;
  /** Characters of the original. */
  readonly chars: number;
}

/** The text whole where it fits; otherwise its beginning, its end and between them the lines that share words with the criteria. */
export function excerpt(text: string, mostChars: number, words: ReadonlySet<string>): Excerpt {
  const chars = text.length;
  if (chars <= mostChars) return { passages: [{ text, line: 1 }], whole: true, chars };
  const room = Math.max(0, mostChars - MARK_CHARS);
  const headEnd = lineEnd(text, Math.floor(room * 0.4));
  const tailStart = lineStart(text, chars - Math.floor(room * 0.25));
  const head = { text: text.slice(0, headEnd), line: 1 };
  const tail = { text: text.slice(tailStart), line: lineAt(text, tailStart) };
  const left = room - head.text.length - tail.text.length;
  const matches = matchingLines(text.slice(headEnd, tailStart), left, words).map((found) => ({
    text: found.text,
    line: found.line + lineAt(text, headEnd) - 1,
  }));
  return { passages: [head, ...matches, tail].filter((one) => one.text !== ""), whole: false, chars };
}

/** As it stands in a question: what was left out is said where it was. */
export function excerptText({ passages, whole, chars }: Excerpt): string {
  const [only] = passages;
  if (whole || only === undefined) return only?.text ?? "";
  const shown = passages.reduce((sum, one) => sum + one.text.length, 0);
  return `(shown: ${shown} of ${chars} characters)\n${passages
    .map((one) => (one.line === 1 ? one.text : `[... line ${one.line}:]\n${one.text}`))
    .join("\n")}${passages.at(-1)?.line === 1 ? "\n[...]" : ""}`;
}

/** Words of the criteria by which lines of long texts are found: no short ones, none that stand everywhere. */
export function searchWords(texts: readonly string[]): ReadonlySet<string> {
  const words =
    texts
      .join("\n")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

const COMMON = new Set(
  (
    "the and for are was were with without that this these those has have had not all any each every does did into from " +
    "than then its their there which when where what should must may can will contains contain includes include output " +
    "file files answer response text uses used use least most one two"
  ).split(" "),
);

/** Room for the words that say what was left out. */
const MARK_CHARS = 80;
const LINE_CHARS = 240;

function matchingLines(middle: string, room: number, words: ReadonlySet<string>): readonly Passage[] {
  const scored: { text: string; line: number; score: number }[] = [];
  let line = 0;
  for (const whole of middle.split("\n")) {
    line++;
    const at = firstWord(whole, words);
    if (at === null) continue;
    const start = Math.max(0, Math.min(at.index - LINE_CHARS / 4, whole.length - LINE_CHARS));
    scored.push({ text: slice(whole, start, start + LINE_CHARS), line, score: at.distinct });
  }
  const chosen: Passage[] = [];
  let left = room;
  for (const one of scored.toSorted((a, b) => b.score - a.score || a.line - b.line)) {
    const cost = one.text.length + 20;
    if (cost > left) continue;
    left -= cost;
    chosen.push({ text: one.text, line: one.line });
  }
  return chosen.toSorted((a, b) => a.line - b.line);
}

function firstWord(line: string, words: ReadonlySet<string>): { index: number; distinct: number } | null {
  const found = new Set<string>();
  let index: number | null = null;
  for (const match of line
    .slice(0, 20_000)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]{3,}/gu)) {
    if (!words.has(match[0])) continue;
    found.add(match[0]);
    index ??= match.index;
  }
  return index === null ? null : { index, distinct: found.size };
}

/** The end of the last whole line before `at`, or `at` itself where lines are long; never inside a character. */
function lineEnd(text: string, at: number): number {
  const found = text.lastIndexOf("\n", at);
  return found > at / 2 ? found : at - (isLowSurrogate(text, at) ? 1 : 0);
}

function lineStart(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  const rest = text.length - at;
  return found !== -1 && found - at < rest / 2 ? found + 1 : at + (isLowSurrogate(text, at) ? 1 : 0);
}

/** Without half characters at its edges. */
function slice(text: string, start: number, end: number): string {
  return text.slice(start + (isLowSurrogate(text, start) ? 1 : 0), end - (isLowSurrogate(text, end) ? 1 : 0));
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
