/** A text as it is compared, with the way back to where each of its characters stands in the original. */
export interface Normalized {
  readonly text: string;
  /** The offset in the original for each UTF-16 unit of `text`, and one more for its end. */
  readonly offsets: Uint32Array;
}

/**
 * Compatibility characters are unified, typographic quotes and dashes made plain, invisible characters dropped, and every
 * run of whitespace is one space, so that a faithful quotation is found however it was wrapped or typed.
 */
export function normalize(original: string): Normalized {
  const parts: string[] = [];
  const offsets: number[] = [];
  let offset = 0;
  let space = true;
  for (const cluster of clusters(original)) {
    for (const char of plain(cluster)) {
      if (/\s/u.test(char)) {
        if (space) continue;
        parts.push(" ");
        offsets.push(offset);
        space = true;
        continue;
      }
      space = false;
      parts.push(char);
      for (let unit = 0; unit < char.length; unit++) offsets.push(offset);
    }
    offset += cluster.length;
  }
  offsets.push(offset);
  return { text: parts.join(""), offsets: Uint32Array.from(offsets) };
}

/** As `normalize`, for what is only compared. */
export function normalizedText(original: string): string {
  return normalize(original).text.trim();
}

/** Characters with the marks that belong to them, because those are composed together. */
function clusters(text: string): readonly string[] {
  // Most text is plain, and splitting it by expression costs far more than by code unit.
  return !MARKED.test(text) ? text.split("") : (text.match(/\P{M}\p{M}*|\p{M}+/gsu) ?? []);
}

const MARKED = /[^\t-\u02ff]/;

function plain(cluster: string): string {
  if (cluster.length === 1 && cluster < "\u0080") return cluster;
  return cluster
    .normalize("NFKC")
    .replaceAll(/[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]/g, "")
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replaceAll(/[\u201c-\u201f\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-");
}
