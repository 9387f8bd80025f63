import { hasReturn, lineAt } from "./newlines.ts";
import { textPieces } from "./text-pieces.ts";

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

/**
 * Reads a UTF-8 file once for all needles, and once more for those with a carriage return, which look for it as it is
 * written; answers in their order, null for one that does not occur.
 */
export async function findInFile(
  path: string,
  needles: readonly Needle[],
): Promise<readonly (Sighting | null)[]> {
  const asIs = needles.filter(({ text }) => hasReturn(text));
  const plain = needles.filter(({ text }) => !hasReturn(text));
  const found = new Map<Needle, Sighting | null>();
  for (const [some, isRaw] of [
    [plain, false],
    [asIs, true],
  ] as const) {
    const sightings = some.length === 0 ? [] : await findAll(path, some, isRaw);
    for (const [index, needle] of some.entries()) found.set(needle, sightings[index] ?? null);
  }
  return needles.map((needle) => found.get(needle) ?? null);
}

async function findAll(
  path: string,
  needles: readonly Needle[],
  asIs: boolean,
): Promise<readonly (Sighting | null)[]> {
  const searches = needles.map(searchFor);
  const sightings: (Sighting | null)[] = needles.map(() => null);
  const overlap = Math.max(0, ...searches.map((search) => search.overlap));
  let linesBefore = 0;
  for await (const bytes of textPieces(path, overlap, asIs)) {
    const piece = new Piece(bytes);
    for (const [index, { wanted, indexIn }] of searches.entries()) {
      const at = sightings[index] === null ? indexIn(piece) : -1;
      if (at === -1) continue;
      const line = linesBefore + lineAt(piece.text, at);
      sightings[index] = { line, excerpt: excerpt(piece.text, at, wanted) };
    }
    if (!sightings.includes(null)) break;
    linesBefore += countNewlines(bytes, bytes.length - overlap);
  }
  return sightings;
}

/** What several searches ask of the same bytes, made once. */
class Piece {
  readonly bytes: Buffer;
  #text: string | null = null;
  #lower: string | null = null;
  #folded: string | null = null;
  #becomesAscii: boolean | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get text(): string {
    return (this.#text ??= this.bytes.toString());
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase());
  }

  /** Whether lower-case ASCII may be here in any case: decoding takes longer than looking at bytes. */
  mayHold(ascii: string): boolean {
    this.#folded ??= this.bytes.toString("latin1").toLowerCase();
    if (this.#folded.includes(ascii)) return true;
    return (this.#becomesAscii ??= BECOME_ASCII.some((letter) => this.bytes.includes(letter)));
  }
}

/** The dotted capital I and the Kelvin sign: the only letters beyond ASCII whose lower case has ASCII in it. */
const BECOME_ASCII = [Buffer.from("\u0130"), Buffer.from("\u212a")];

interface Search {
  readonly wanted: string;
  /** How many bytes may be on the other side of a border between pieces. */
  readonly overlap: number;
  /** In the piece's text; -1 when it is not there. */
  readonly indexIn: (piece: Piece) => number;
}

function searchFor({ text, ignoreCase }: Needle): Search {
  const wanted = ignoreCase ? text.toLowerCase() : text;
  const bytes = Buffer.from(wanted);
  // UTF-8 has no half characters.
  if (bytes.toString() !== wanted) return { wanted, overlap: 0, indexIn: () => -1 };
  if (ignoreCase) {
    const ascii = longest(wanted.match(/[\0-\x7f]+/g) ?? []);
    // Lower case may be shorter than what it stands for, by up to four bytes for each unit.
    const overlap = 4 * wanted.length + 4;
    return { wanted, overlap, indexIn: (piece) => (piece.mayHold(ascii) ? piece.lower.indexOf(wanted) : -1) };
  }
  const indexIn = (piece: Piece): number => {
    const at = piece.bytes.indexOf(bytes);
    return at === -1 ? -1 : piece.bytes.toString("utf8", 0, at).length;
  };
  return { wanted, overlap: bytes.length, indexIn };
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}

const BEFORE = 60;
const AFTER = 100;

/** As many lines as the needle has, without characters that the cut broke. */
function excerpt(text: string, at: number, wanted: string): string {
  const lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const around = text.slice(Math.max(lineStart, at - BEFORE), at + wanted.length + AFTER);
  const lines = around.split("\n").slice(0, wanted.split("\n").length);
  return lines.join("\n").replaceAll(/[\uFFFD\uD800-\uDFFF]/gu, "");
}

function countNewlines(bytes: Buffer, to: number): number {
  let count = 0;
  for (let index = 0; index < to; index++) if (bytes[index] === NEWLINE) count++;
  return count;
}

const NEWLINE = 0x0a;
