import { type Normalized, normalize, normalizedText } from "./normalized.ts";
import { lineAt, type Passage } from "./passage.ts";

/** Where a quotation stands in what was shown: the line of the original; null when it is not there. */
export function findQuote(quote: string, passages: readonly Passage[]): { readonly line: number } | null {
  // Dots may be the text's own.
  const literal = bareText(quote);
  return findInOrder([literal].filter(isSomething), passages) ?? findInOrder(fragmentsOf(quote), passages);
}

function findInOrder(
  fragments: readonly string[],
  passages: readonly Passage[],
): { readonly line: number } | null {
  if (fragments.length === 0) return null;
  let first: { readonly line: number } | null = null;
  let next = 0;
  for (const passage of passages) {
    const shown = normalizedOnce(passage);
    let from = 0;
    for (; next < fragments.length; next++) {
      const fragment = fragments[next] ?? "";
      const at = shown.text.indexOf(fragment, from);
      if (at === -1) break;
      first ??= { line: passage.line + lineAt(passage.text, shown.offsets[at] ?? 0) - 1 };
      from = at + fragment.length;
    }
  }
  return next === fragments.length ? first : null;
}

/** As `findQuote`, where the quotation is not part of a longer word or number. */
export function findWord(quote: string, passages: readonly Passage[]): { readonly line: number } | null {
  const wanted = normalizedText(quote).trim();
  if (wanted === "") return null;
  for (const passage of passages) {
    const { text, offsets } = normalizedOnce(passage);
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      const isPart = WORD.test(text.charAt(at - 1)) && WORD.test(wanted.at(0) ?? "");
      const goesOn = WORD.test(text.at(at + wanted.length) ?? "") && WORD.test(wanted.at(-1) ?? "");
      if (!isPart && !goesOn) return { line: passage.line + lineAt(passage.text, offsets[at] ?? 0) - 1 };
    }
  }
  return null;
}

const WORD = /[\p{L}\p{N}_]/u;

/** Letters and digits of a quotation: how much it says. */
export function quoteWeight(quote: string): number {
  return (quote.match(/[\p{L}\p{N}]/gu) ?? []).length;
}

/**
 * A quotation that could stand in many texts by chance shows nothing: it takes a few words, or a whole line of the text.
 * Where something is left out, each piece between the dots must say as much.
 */
export function saysEnough(quote: string, passages: readonly Passage[]): boolean {
  const whole = bareText(quote);
  const pieces = findInOrder([whole].filter(isSomething), passages) === null ? fragmentsOf(quote) : [whole];
  return pieces.length > 0 && pieces.every((piece) => isTelling(piece) || isLine(piece, passages));
}

function isTelling(piece: string): boolean {
  const words = piece.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const letters = quoteWeight(piece);
  return (words >= 3 && letters >= 6) || (words >= 2 && letters >= 8) || letters >= 12;
}

/** A line but for its list mark, its key, and marks around or behind it. */
function isLine(piece: string, passages: readonly Passage[]): boolean {
  const wanted = contentOf(piece);
  return (
    wanted !== "" &&
    passages.some(({ text }) =>
      text.split("\n").some((line) => {
        const shown = normalizedText(line);
        return contentOf(shown) === wanted || contentOf(shown.replace(/^[^:]{1,40}: /, "")) === wanted;
      }),
    )
  );
}

function contentOf(line: string): string {
  return line.replaceAll(/^[\s\-*#>|+•"'`({[]+|[\s"'`,;.|)}\]]+$/g, "");
}

/** Quotation marks around the whole are not part of it. */
function bareText(quote: string): string {
  return normalizedText(quote).replace(/^(["'`])(.*)\1$/, "$2");
}

/** The pieces between the dots that stand for something left out. */
function fragmentsOf(quote: string): readonly string[] {
  return bareText(quote)
    .split(/\s*(?:\[\.{3}\]|\(\.{3}\)|\.{3,})\s*/)
    .map((fragment) => fragment.trim())
    .filter(isSomething);
}

function isSomething(fragment: string): boolean {
  return /[^\s"'`.[\]()]/.test(fragment);
}

/** A pack is searched once for each quotation, so its passages are normalized once. */
const known = new WeakMap<Passage, Normalized>();

function normalizedOnce(passage: Passage): Normalized {
  const before = known.get(passage);
  if (before !== undefined) return before;
  const made = normalize(passage.text);
  known.set(passage, made);
  return made;
}
