import { type FileHandle, open } from "node:fs/promises";

/** A text to look for in a file. */
export interface Needle {
  readonly text: string;
  /** By Unicode's simple lower case of both sides. */
  readonly ignoreCase: boolean;
}

/** Where a needle first occurs. */
export interface Sighting {
  /** Counts from 1. */
  readonly line: number;
  /** The part of the line around it, verbatim. */
  readonly excerpt: string;
}

export interface TextScan {
  readonly codePoints: number;
  /** In the order of the needles; null for one that does not occur. */
  readonly sightings: readonly (Sighting | null)[];
}

/**
 * Reads a UTF-8 file once, in pieces, for all needles together. Line ends are read as Python reads them: CRLF and a lone
 * CR are one newline, in the file and in the needles.
 */
export async function scanTextFile(path: string, needles: readonly Needle[]): Promise<TextScan> {
  const searches = needles.map((needle) => new Search(needle));
  const overlap = Math.max(0, ...searches.map((search) => search.overlap));
  const window = new Window(overlap);
  let codePoints = 0;
  await using file = await open(path);
  while (await window.advance(file)) {
    codePoints += window.codePoints;
    for (const search of searches) search.look(window);
  }
  return { codePoints, sightings: searches.map((search) => search.sighting) };
}

/** Newlines as Python's text files have them. */
export function withNewlines(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A piece of the file behind the end of the piece before, so that nothing is lost between them. */
class Window {
  readonly #buffer: Buffer;
  readonly #overlap: number;
  #kept = 0;
  #end = 0;
  #returnBefore = false;
  /** Newlines before the window. */
  linesBefore = 0;
  /** Of the new part alone. */
  codePoints = 0;
  #newlines = 0;
  #text: { readonly text: string; readonly lower: string } | null = null;
  #folded: { readonly bytes: Buffer; readonly whole: boolean } | null = null;

  constructor(overlap: number) {
    this.#overlap = overlap;
    this.#buffer = Buffer.allocUnsafe(overlap + CHUNK);
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  /** Whether a run of lower-case ASCII may be here in any case: decoding takes longer than looking at bytes. */
  mayHold(run: Buffer): boolean {
    this.#folded ??= {
      bytes: foldAscii(this.bytes),
      whole: !BECOME_ASCII.some((letter) => this.bytes.includes(letter)),
    };
    return !this.#folded.whole || this.#folded.bytes.includes(run);
  }

  /** Decoded once, for all searches that do not mind the case. */
  get decoded(): { readonly text: string; readonly lower: string } {
    if (this.#text === null) {
      const text = this.bytes.toString();
      this.#text = { text, lower: text.toLowerCase() };
    }
    return this.#text;
  }

  /** False at the end of the file. */
  async advance(file: FileHandle): Promise<boolean> {
    const kept = Math.min(this.#overlap, this.#end);
    const dropped = this.#end - kept;
    const newlinesDropped = this.#newlines - countNewlines(this.#buffer, dropped, this.#end);
    this.#buffer.copyWithin(0, dropped, this.#end);
    const { bytesRead } = await file.read(this.#buffer, kept, CHUNK);
    if (bytesRead === 0) return false;
    this.#text = null;
    this.#folded = null;
    this.linesBefore += newlinesDropped;
    this.#kept = kept;
    this.#end = this.#joinLineEnds(kept, kept + bytesRead);
    this.#newlines += this.#count() - newlinesDropped;
    return true;
  }

  /** Turns CRLF and CR into one newline, in place; answers the new end. */
  #joinLineEnds(from: number, to: number): number {
    const buffer = this.#buffer;
    const first = buffer.indexOf(RETURN, from);
    if (!this.#returnBefore && (first === -1 || first >= to)) return to;
    let write = from;
    let afterReturn = this.#returnBefore;
    for (let read = from; read < to; read++) {
      const byte = buffer[read] ?? 0;
      if (byte === NEWLINE && afterReturn) {
        afterReturn = false;
        continue;
      }
      afterReturn = byte === RETURN;
      buffer[write++] = afterReturn ? NEWLINE : byte;
    }
    this.#returnBefore = afterReturn;
    return write;
  }

  /** Counts the code points of the new part and answers its newlines. */
  #count(): number {
    const buffer = this.#buffer;
    let newlines = 0;
    let points = 0;
    for (let index = this.#kept; index < this.#end; index++) {
      const byte = buffer[index] ?? 0;
      if ((byte & 0xc0) !== 0x80) points++;
      if (byte === NEWLINE) newlines++;
    }
    this.codePoints = points;
    return newlines;
  }
}

/** The dotted capital I and the Kelvin sign: the only letters beyond ASCII whose lower case has ASCII in it. */
const BECOME_ASCII = [Buffer.from("\u0130"), Buffer.from("\u212a")];

function foldAscii(bytes: Buffer): Buffer {
  const folded = Buffer.allocUnsafe(bytes.length);
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    folded[index] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
  return folded;
}

class Search {
  sighting: Sighting | null = null;
  readonly overlap: number;
  readonly #text: string;
  readonly #bytes: Buffer;
  readonly #ignoreCase: boolean;
  /** The longest part of the needle that is ASCII. */
  readonly #run: Buffer;
  /** Valid UTF-8 has no half characters. */
  readonly #impossible: boolean;

  constructor({ text, ignoreCase }: Needle) {
    this.#ignoreCase = ignoreCase;
    this.#text = ignoreCase ? withNewlines(text).toLowerCase() : withNewlines(text);
    this.#bytes = Buffer.from(this.#text);
    this.#run = Buffer.from(longest(this.#text.match(/[\0-\x7f]+/g) ?? []));
    this.#impossible = this.#bytes.toString() !== this.#text;
    // Lower case may be shorter than what it stands for, by up to four bytes for each unit.
    this.overlap = ignoreCase ? 4 * this.#text.length + 4 : this.#bytes.length;
  }

  look(window: Window): void {
    if (this.sighting !== null || this.#impossible) return;
    if (this.#ignoreCase) this.#lookIgnoringCase(window);
    else this.#lookExactly(window);
  }

  #lookExactly({ bytes, linesBefore }: Window): void {
    const at = bytes.indexOf(this.#bytes);
    if (at === -1) return;
    const start = Math.max(bytes.lastIndexOf(NEWLINE, Math.max(0, at - 1)) + 1, at - BEFORE);
    const around = bytes.subarray(Math.min(start, at), at + this.#bytes.length + AFTER).toString();
    const line = linesBefore + 1 + countNewlines(bytes, 0, at);
    this.sighting = { line, excerpt: firstLines(around, this.#text) };
  }

  #lookIgnoringCase(window: Window): void {
    if (!window.mayHold(this.#run)) return;
    const { text, lower } = window.decoded;
    const at = lower.indexOf(this.#text);
    if (at === -1) return;
    const start = Math.max(at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1, at - BEFORE);
    const around = text.slice(start, at + this.#text.length + AFTER);
    const line = window.linesBefore + 1 + (text.slice(0, at).match(/\n/g)?.length ?? 0);
    this.sighting = { line, excerpt: firstLines(around, this.#text) };
  }
}

const BEFORE = 60;
const AFTER = 100;

/** As many lines as the needle has, without characters that the cut broke. */
function firstLines(around: string, needle: string): string {
  const lines = needle.split("\n").length;
  return around.split("\n").slice(0, lines).join("\n").replaceAll("\uFFFD", "");
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}

function countNewlines(buffer: Buffer, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++) if (buffer[index] === NEWLINE) count++;
  return count;
}
