import type { Fold } from "./pattern.ts";

export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Every character that equals this one under the fold, itself first. */
export function caseVariants(code: number, fold: Fold): readonly number[] {
  if (fold === "exact") return [code];
  if (code < 0x80) return [code, ...asciiVariants(code, fold)];
  if (fold === "ascii") return [code];
  return [code, ...(table().get(foldKey(code)) ?? []).filter((other) => other !== code)];
}

/** The ranges, and whatever equals one of their characters under the fold. */
export function withCaseVariants(ranges: readonly CodeRange[], fold: Fold): readonly CodeRange[] {
  if (fold === "exact") return ranges;
  const extra = new Set<number>();
  const within = (code: number) => ranges.some((range) => range.from <= code && code <= range.to);
  const add = (codes: readonly number[]) => {
    if (codes.some(within)) for (const code of codes) extra.add(code);
  };
  for (let code = 0x61; code <= 0x7a; code++) add(caseVariants(code, fold));
  if (fold === "unicode" && ranges.some((range) => range.to >= 0x80)) {
    for (const codes of table().values()) add(codes);
  }
  return [...ranges, ...[...extra].filter((code) => !within(code)).map((code) => ({ from: code, to: code }))];
}

function asciiVariants(code: number, fold: Fold): readonly number[] {
  const lower = code | 0x20;
  if (lower < 0x61 || lower > 0x7a) return [];
  const beyond = fold === "unicode" ? (BEYOND_ASCII[String.fromCodePoint(lower)] ?? []) : [];
  return [code ^ 0x20, ...beyond];
}

/** Dotted and dotless i, the Kelvin sign, the long s. */
const BEYOND_ASCII: Readonly<Record<string, readonly number[]>> = {
  i: [0x130, 0x131],
  k: [0x212a],
  s: [0x17f],
};

let cached: ReadonlyMap<string, readonly number[]> | null = null;

/** Characters by fold key, only where several share one. */
function table(): ReadonlyMap<string, readonly number[]> {
  if (cached !== null) return cached;
  const byKey = new Map<string, number[]>();
  for (let code = 0x41; code < CASED_END; code++) {
    const char = String.fromCodePoint(code);
    if (!CASED.test(char)) continue;
    const key = foldKey(code);
    byKey.set(key, [...(byKey.get(key) ?? []), code]);
  }
  cached = new Map([...byKey].filter(([, codes]) => codes.length > 1));
  return cached;
}

/** No script with letter case lies beyond. */
const CASED_END = 0x1ea00;
const CASED = /[\p{Changes_When_Casemapped}\u0130]/u;

/** Python compares lower case, and lower case letters that share their upper case. */
function foldKey(code: number): string {
  return code === 0x130 ? "I" : String.fromCodePoint(code).toLowerCase().toUpperCase();
}
