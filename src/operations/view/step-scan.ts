/**
 * Reads steps as bytes of JSON: a hundred thousand in a moment, without a string for each. The hash is of what is not chance;
 * both halves have 32 bits, so that among a million steps none are taken for equal that are not.
 */
export class StepScan {
  one = 0;
  two = 0;
  /** Of each id, time and temporary name so far a number, in order. */
  readonly chance: number[] = [];
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** `idAt`: where a string begins that is an id, whatever it looks like; -1: nowhere. */
  read(bytes: Buffer, { from, to, idAt = -1 }: ScannedRange): void {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    [this.one, this.two] = START;
    let hashed = from;
    let at = from;
    while (at < to) {
      const kind = KINDS[bytes[at] as number];
      let end = at + 1;
      let chanceTo = at;
      if (at === idAt) chanceTo = stringEnd(bytes, at, to);
      else if (kind === WORD) {
        while (end < to && IN_WORD[bytes[end] as number] === 1) end++;
        // Nearly every word is short and says at once that it is none.
        const isPlain = end - at < 8 && DIGITS[bytes[at] as number] === 0 && bytes[end] !== DASH;
        if (!isPlain && mayBeChance(bytes, at, end)) chanceTo = chanceEnd(bytes, at, to);
      } else if (kind === SLASH) chanceTo = temporaryEnd(bytes, at, to);
      else if (kind === ESCAPE) end = at + (bytes[at + 1] === LETTER_U ? 6 : 2);
      if (chanceTo > at) {
        this.#hash(bytes.byteOffset + hashed, bytes.byteOffset + at);
        this.chance.push(numberOf(bytes, at, chanceTo));
        hashed = chanceTo;
        // What follows within the same word begins no word.
        end =
          KINDS[bytes[chanceTo - 1] ?? 0] === WORD ? endOf(bytes, chanceTo, { to, of: IN_WORD }) : chanceTo;
      }
      at = end;
    }
    this.#hash(bytes.byteOffset + hashed, bytes.byteOffset + to);
  }

  /** Four bytes at once, then how many there were: a gap is part of the hash. */
  #hash(from: number, to: number): void {
    const view = this.#view;
    let [one, two] = [this.one, this.two];
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const four = view.getInt32(at, true);
      one = Math.imul(one ^ four, FACTOR_ONE);
      one ^= one >>> 15;
      two = Math.imul(two + four, FACTOR_TWO);
      two ^= two >>> 13;
    }
    for (; at < to; at++) {
      one = Math.imul(one ^ view.getUint8(at), FACTOR_ONE);
      two = Math.imul(two + view.getUint8(at), FACTOR_TWO);
    }
    this.one = mixed(one ^ (to - from));
    this.two = mixed(two + (to - from));
  }
}

export interface ScannedRange {
  readonly from: number;
  readonly to: number;
  readonly idAt?: number;
}

const START: readonly [number, number] = [-1640531527, 2135587861];
const [FACTOR_ONE, FACTOR_TWO] = [0x01000193, 0x2c1b3c6d];

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), -2048144789);
  return Math.imul(once ^ (once >>> 13), -1028477387) ^ (once >>> 16);
}

/** Small enough to be held without an object. */
function numberOf(bytes: Buffer, from: number, to: number): number {
  let hash = START[0];
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), FACTOR_ONE);
  return mixed(hash) >> 2;
}

const [OTHER, WORD, SLASH, ESCAPE] = [0, 1, 2, 3];
const [SPACE, QUOTE, DASH, UNDERSCORE] = [0x20, 0x22, 0x2d, 0x5f];
const [LETTER_M, LETTER_S, LETTER_U] = [0x6d, 0x73, 0x75];

const table = (valueOf: (char: string) => number) =>
  Uint8Array.from({ length: 256 }, (_, byte) => valueOf(String.fromCharCode(byte)));
const charsOf = (pattern: RegExp) => table((char) => (pattern.test(char) ? 1 : 0));

const IN_WORD = charsOf(/^[A-Za-z0-9_]$/);
const IN_NAME = charsOf(/^[A-Za-z0-9_.-]$/);
/** What an id, a date, a time or an amount can consist of. */
const IN_CHANCE = charsOf(/^[A-Za-z0-9_.,:+-]$/);
const IN_HEX = charsOf(/^[0-9a-fA-F]$/);
const DIGITS = charsOf(/^[0-9]$/);
const BEGINS_ID = charsOf(/^[tcmrs]$/);
const KINDS = table((char) =>
  char === "\\" ? ESCAPE : char === "/" ? SLASH : (IN_WORD[char.charCodeAt(0)] ?? OTHER),
);

function endOf(
  bytes: Buffer,
  from: number,
  { to, of }: { readonly to: number; readonly of: Uint8Array },
): number {
  let end = from;
  while (end < to && of[bytes[end] ?? 0] === 1) end++;
  return end;
}

function stringEnd(bytes: Buffer, from: number, to: number): number {
  let end = from;
  while (end < to && bytes[end] !== QUOTE) end += KINDS[bytes[end] ?? 0] === ESCAPE ? 2 : 1;
  return Math.min(end, to);
}

/** Where it began when it is no name in the temporary folder. */
function temporaryEnd(bytes: Buffer, at: number, to: number): number {
  if (!isAt(bytes, at, TEMPORARY)) return at;
  const name = at + TEMPORARY.length;
  const end = endOf(bytes, name, { to, of: IN_NAME });
  return end > name ? end : at;
}

const TEMPORARY = Buffer.from("/tmp/");

/** Faster for a few bytes than asking the buffer. */
export function isAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let place = 0; place < wanted.length; place++) if (bytes[at + place] !== wanted[place]) return false;
  return true;
}

/** Most words can be told at a glance to be none. */
function mayBeChance(bytes: Buffer, at: number, end: number): boolean {
  const first = bytes[at] ?? 0;
  const next = bytes[end];
  if (end - at >= 8 && IN_HEX[first] === 1 && IN_HEX[bytes[at + 7] ?? 0] === 1) return true;
  if (DIGITS[first] === 1)
    return END_NUMBER.includes(next ?? 0) || bytes[end - 1] === LETTER_S || isUnit(bytes, end);
  if (BEGINS_ID[first] === 0) return false;
  if (next === DASH) return true;
  for (let place = at; place < end; place++) if (bytes[place] === UNDERSCORE) return true;
  return false;
}

/** What a date, a time or an amount goes on with. */
const END_NUMBER = Buffer.from("-:.");

function isUnit(bytes: Buffer, at: number): boolean {
  return bytes[at] === SPACE && (bytes[at + 1] === LETTER_S || bytes[at + 1] === LETTER_M);
}

/** Beyond a word: ` seconds`, or the time after a date. */
const BESIDE = 30;

function chanceEnd(bytes: Buffer, at: number, to: number): number {
  const end = Math.min(to, endOf(bytes, at, { to, of: IN_CHANCE }) + BESIDE);
  BY_CHANCE.lastIndex = 0;
  return at + (BY_CHANCE.exec(bytes.toString("latin1", at, end))?.[0].length ?? 0);
}

const H = "[0-9a-fA-F]";

/** UUIDs and digests, dates, times of day, how long something took, ids of services. */
const BY_CHANCE = new RegExp(
  [
    String.raw`${H}{8}(?:-${H}{4}){3}-${H}{12}\b`,
    String.raw`(?=${H}{12,}\b)[a-fA-F]*\d${H}*`,
    String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`,
    String.raw`\d\d:\d\d:\d\d(?:[.,]\d+)?\b`,
    String.raw`\d+(?:\.\d+)?(?: ?(?:ms|seconds)|s)\b`,
    String.raw`(?:toolu|call|msg|req|resp|chatcmpl|thread|session)[_-][A-Za-z0-9_-]{8,}`,
  ].join("|"),
  "y",
);
