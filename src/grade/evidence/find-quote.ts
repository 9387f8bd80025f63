import { type Normalized, normalize, normalizedText } from "./normalized.ts";
import { lineAt, type Passage } from "./passage.ts";

/** Where a quotation stands in what was shown: the line of the original; null when it is not there. */
export function findQuote(quote: string, passages: readonly Passage[]): { readonly line: number } | null {
  const fragments = fragmentsOf(quote);
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

/** Letters and digits of a quotation: how much it says. */
export function quoteWeight(quote: string): number {
  return (quote.match(/[\p{L}\p{N}]/gu) ?? []).length;
}

/** The pieces between the dots that stand for something left out; quotation marks around the whole are not part of it. */
function fragmentsOf(quote: string): readonly string[] {
  const bare = normalizedText(quote).replace(/^(["'`])(.*)\1$/, "$2");
  return bare
    .split(/\s*(?:\[\.{3}\]|\(\.{3}\)|\.{3,})\s*/)
    .map((fragment) => fragment.trim())
    .filter((fragment) => /[^\s"'`]/.test(fragment));
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
