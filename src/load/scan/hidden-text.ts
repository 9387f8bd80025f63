import { plural } from "../../lib/plural.ts";
import type { ScanHit } from "./hit.ts";

/** Text that is read otherwise than it looks: by agents, but not by people. */
export function hiddenTextHits(text: string): ScanHit[] {
  if (!SUSPECT.test(text)) return [];
  return [...tagHits(text), ...selectorHits(text), ...zeroWidthHits(text), ...bidiHits(text)];
}

/** Cheap to look for in the many texts that have none of it; single joiners and emoji are sorted out later. */
const SUSPECT =
  /[\u115F\u1160\u180E\u200B-\u200D\u202A-\u202E\u2060-\u2069\u3164\uFEFF\uFFA0\uDB40]|[\uFE00-\uFE0F]/;

/** Tag characters mirror ASCII. The flags of England, Scotland and Wales are made of them too. */
function tagHits(text: string): ScanHit[] {
  const hits: ScanHit[] = [];
  for (const { 0: run, index } of text.matchAll(/(?:\uDB40[\uDC00-\uDC7F])+/g)) {
    const said = Array.from(run)
      .map((char) => String.fromCharCode((char.codePointAt(0) ?? 0) - 0xe0000))
      .join("");
    if (text.slice(index - 2, index) === "\u{1F3F4}" && /^[a-z0-9]{3,6}\u007f$/.test(said)) continue;
    hits.push(hidden(index, Array.from(run).length, "tag characters", said));
  }
  return hits;
}

/** One selector chooses how the character before it looks; several in a row carry bytes. */
function selectorHits(text: string): ScanHit[] {
  return [...text.matchAll(/(?:[\uFE00-\uFE0F]|\uDB40[\uDD00-\uDDEF]){2,}/g)].map(({ 0: run, index }) => {
    const bytes = Array.from(run).map((char) => {
      const code = char.codePointAt(0) ?? 0;
      return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00;
    });
    return hidden(index, bytes.length, "variation selectors", Buffer.from(bytes).toString("utf8"));
  });
}

/** Joiners and word breaks are part of many scripts and of emoji, but never come in long rows. */
const ZERO_WIDTH = /[\u115F\u1160\u180E\u200B-\u200D\u2060-\u2064\u3164\uFEFF\uFFA0]{4,}/g;

function zeroWidthHits(text: string): ScanHit[] {
  return [...text.matchAll(ZERO_WIDTH)].map(({ 0: run, index }) =>
    hidden(index, run.length, "zero-width characters", ""),
  );
}

function hidden(offset: number, count: number, what: string, said: string): ScanHit {
  const words = said.replaceAll(/[^\x20-\x7e]/g, "").trim();
  const reading = words.length < 3 ? "" : `, which read ${JSON.stringify(cut(words))}`;
  return {
    code: "security/hidden-text",
    offset,
    message: `${plural(count, "invisible character")} (${what})${reading}`,
  };
}

/** Overrides are never needed; embeddings and isolates are, in lines that hold letters written from right to left. */
function bidiHits(text: string): ScanHit[] {
  const hits: ScanHit[] = [];
  for (const { index } of text.matchAll(/^.*[\u202A-\u202E\u2066-\u2069].*$/gm)) {
    const line = text.slice(index, endOfLine(text, index));
    const override = /[\u202D\u202E]/.exec(line);
    const first = override ?? /[\u202A-\u202E\u2066-\u2069]/.exec(line);
    if (first === null || (override === null && RIGHT_TO_LEFT.test(line) && isBalanced(line))) continue;
    hits.push({
      code: "security/bidi-control",
      offset: index + first.index,
      message: "a control character changes the order in which this line is shown",
    });
  }
  return hits;
}

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

function isBalanced(line: string): boolean {
  const count = (pattern: RegExp) => line.match(pattern)?.length ?? 0;
  return count(/[\u202A\u202B]/g) === count(/\u202C/g) && count(/[\u2066-\u2068]/g) === count(/\u2069/g);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function cut(words: string): string {
  return words.length > 80 ? `${words.slice(0, 80)}...` : words;
}
