/** A JavaScript regular expression in Python's spelling: `flags` go first in a pattern, `body` anywhere after them. */
export interface PythonSpelling {
  readonly flags: string;
  readonly body: string;
}

/** The same pattern as Python's `re` spells it. What neither can spell is left for Python's compiler to refuse. */
export function pythonSpelling(source: string, jsFlags = ""): PythonSpelling {
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  const wanted = new Set(Array.from(`${jsFlags}${inline?.[1] ?? ""}`));
  const letters = ["i", "m", "s"].filter((letter) => wanted.has(letter)).join("");
  const lines = wanted.has("m");
  const unicode = wanted.has("u") || wanted.has("v");
  return {
    flags: letters === "" ? "" : `(?${letters})`,
    body: translate(source.slice(inline?.[0].length ?? 0), { lines, unicode }),
  };
}

/** Flags that JavaScript does not know, in their order; empty when there are none. */
export function unknownFlags(jsFlags: string): string {
  return [...new Set(jsFlags)].filter((flag) => !"dgimsuvy".includes(flag)).join("");
}

export function occurs({ flags, body }: PythonSpelling): string {
  return `${flags}${body}`;
}

/** Found nowhere in the text. */
export function absent({ flags, body }: PythonSpelling): string {
  return String.raw`${flags}\A(?![\s\S]*(?:${body}))`;
}

/** Found this many times in the text, no more and no fewer. */
export function exactly(count: number, spelling: PythonSpelling): string {
  if (count === 0) return absent(spelling);
  const times = (least: number) => String.raw`(?:[\s\S]*?(?:${spelling.body})){${least}}`;
  return String.raw`${spelling.flags}\A(?=${times(count)})(?!${times(count + 1)})`;
}

/** A pattern that finds this text and nothing else. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|#&~\s-]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
}

interface Mode {
  readonly lines: boolean;
  readonly unicode: boolean;
}

function translate(source: string, mode: Mode): string {
  let python = "";
  let inClass = false;
  for (let at = 0; at < source.length;) {
    const [taken, spelled] = inClass ? inSet(source, at, mode) : outside(source, at, mode);
    if (!inClass && spelled === "[" && taken === 1) inClass = true;
    else if (inClass && taken === 1 && source[at] === "]") inClass = false;
    python += spelled;
    at += taken;
  }
  return python;
}

/** How many characters of the source are spelled, and how. */
type Piece = readonly [taken: number, spelled: string];

function outside(source: string, at: number, mode: Mode): Piece {
  const rest = source.slice(at, at + MOST_AHEAD);
  if (rest.startsWith("\\")) return escape(rest, mode);
  if (rest.startsWith("[^]")) return [3, String.raw`[\s\S]`];
  if (rest.startsWith("[]")) return [2, "(?!)"];
  if (/^\(\?<[^=!]/.test(rest)) return [3, "(?P<"];
  if (rest.startsWith("$") && !mode.lines) return [1, String.raw`\Z`];
  return [1, rest[0] ?? ""];
}

function inSet(source: string, at: number, mode: Mode): Piece {
  const rest = source.slice(at, at + MOST_AHEAD);
  if (rest.startsWith("\\")) return escape(rest, mode);
  return [1, rest.startsWith("[") ? String.raw`\[` : (rest[0] ?? "")];
}

/** The longest name or code that an escape can hold is short; more is never looked at. */
const MOST_AHEAD = 80;

function escape(rest: string, { unicode }: Mode): Piece {
  const name = /^\\k<([^>]+)>/.exec(rest);
  if (name !== null) return [name[0].length, `(?P=${name[1]})`];
  const code = unicode ? /^\\u\{([0-9a-fA-F]{1,6})\}/.exec(rest) : null;
  if (code !== null) return [code[0].length, literally(String.fromCodePoint(clamped(code[1] ?? "0")))];
  const control = /^\\c([A-Za-z])/.exec(rest);
  if (control !== null)
    return [3, `\\x${((control[1] ?? "A").charCodeAt(0) % 32).toString(16).padStart(2, "0")}`];
  const [, letter = ""] = rest;
  if (letter === "/") return [2, "/"];
  // To JavaScript these mean themselves; to Python they mean something else, or nothing at all.
  if (/[A-Za-z]/.test(letter) && !/[bBdDfnrsStuvwWxpPk]/.test(letter)) return [2, letter];
  return [2, `\\${letter}`];
}

function clamped(hex: string): number {
  return Math.min(Number.parseInt(hex, 16), 0x10ffff);
}
