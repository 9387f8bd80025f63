/** A named kind of value: does a whole text have it, and where does it occur in a longer one. */
export interface ValueFormat {
  readonly name: ValueFormatName;
  matches(value: string): boolean;
  /** Finds every occurrence in a longer text, as `scan` does; has the `g` flag. */
  readonly anywhere: RegExp;
  /** Every occurrence, in order; without word boundaries, so a part of a longer run counts. */
  scan(text: string): readonly string[];
}

export type ValueFormatName = keyof typeof PATTERNS;

/** Null when no format has that name; names are case-sensitive. */
export function valueFormat(name: string): ValueFormat | null {
  if (!isFormatName(name)) return null;
  const source = PATTERNS[name];
  const whole = new RegExp(`^(?:${source})$`, "u");
  return {
    name,
    matches: (value) => whole.test(value),
    anywhere: new RegExp(source, "gu"),
    scan: (text) => text.match(new RegExp(source, "gu")) ?? [],
  };
}

function isFormatName(name: string): name is ValueFormatName {
  return Object.hasOwn(PATTERNS, name);
}

const { raw } = String;

/** As Python understands them: `\p{Nd}` is any decimal digit, whitespace has the separators but no byte order mark. */
const D = raw`\p{Nd}`;
const S = raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/** Letters without regard to case, with the four that Python takes for one of them. */
const A = raw`a-zA-Z\u017f\u212a\u0130\u0131`;

const PATTERNS = {
  currency_eur: raw`€[${D},.]*${D}[${D},.]*`,
  currency_usd: raw`\$[${D},]*${D}[${D},]*(?:\.${D}{2})?`,
  date_iso: raw`${D}{4}-${D}{2}-${D}{2}`,
  date_us: raw`${D}{1,2}/${D}{1,2}/${D}{2,4}`,
  domain: raw`(?:[${A}0-9](?:[${A}0-9\-]*[${A}0-9])?\.)+[${A}]{2,}`,
  email: raw`[a-zA-Z0-9._%+\-]+@[a-zA-Z0-9.\-]+\.[a-zA-Z]{2,}`,
  hex_color: raw`#[0-9a-fA-F]{6}`,
  ipv4: raw`${D}{1,3}\.${D}{1,3}\.${D}{1,3}\.${D}{1,3}`,
  latitude: raw`-?${D}{1,2}\.${D}+`,
  longitude: raw`-?${D}{1,3}\.${D}+`,
  percentage: raw`${D}+(?:\.${D}+)?%`,
  phone_intl: raw`\+${D}{1,3}[${S}.\-]?${D}{4,14}`,
  phone_us: raw`\(?${D}{3}\)?[${S}.\-]?${D}{3}[${S}.\-]?${D}{4}`,
  star_rating: raw`${D}(?:\.${D})?[${S}]?(?:stars?|★|⭐)`,
  time_12h: raw`${D}{1,2}:${D}{2}[${S}]?[aApP][mM]`,
  time_24h: raw`${D}{1,2}:${D}{2}(?::${D}{2})?`,
  url: raw`https?://[^${S})"'>]+`,
  uuid: raw`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`,
  zip_uk: raw`[A-Z]{1,2}${D}[A-Z${D}]?[${S}]?${D}[A-Z]{2}`,
  zip_us: raw`${D}{5}(?:-${D}{4})?`,
} as const;

/** All names, sorted. */
export const formatNames: readonly ValueFormatName[] = Object.keys(PATTERNS).filter(isFormatName);
