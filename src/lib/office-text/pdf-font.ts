import type { PdfObjects } from "./pdf-objects.ts";
import { pdfReader, type PdfValue } from "./pdf-value.ts";

/** Turns the bytes of a shown string into text; null where the font does not say what they mean. */
export type PdfFont = (bytes: string) => string | null;

export function pdfFont(objects: PdfObjects, font: PdfValue | undefined): PdfFont {
  const map = objects.stream(objects.entry(font, "ToUnicode"));
  const subtype = objects.entry(font, "Subtype");
  const composite = typeof subtype === "object" && subtype?.kind === "name" && subtype.name === "Type0";
  if (map === null) return composite ? () => null : latin;
  const { codes, bytesPerCode } = characterMap(map, composite);
  return (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += bytesPerCode) {
      const code = codeOf(bytes.slice(at, at + bytesPerCode));
      text += codes.get(code) ?? (bytesPerCode === 1 ? latin(bytes.slice(at, at + 1)) : "");
    }
    return text;
  };
}

/** Windows' extension of Latin-1, which simple fonts almost always use. */
export function latin(bytes: string): string {
  return new TextDecoder("windows-1252").decode(Buffer.from(bytes, "latin1"));
}

const MOST_CODES = 70_000;

function characterMap(
  text: string,
  composite: boolean,
): { codes: Map<number, string>; bytesPerCode: number } {
  const codes = new Map<number, string>();
  let bytesPerCode = composite ? 2 : 1;
  let values: PdfValue[] = [];
  const reader = pdfReader(text);
  for (let value = reader.next(); value !== undefined; value = reader.next()) {
    if (typeof value !== "object" || value?.kind !== "operator") {
      values.push(value);
      continue;
    }
    if (value.name === "endcodespacerange") bytesPerCode = bytesOf(values[0])?.length ?? bytesPerCode;
    else if (value.name === "endbfchar") addCharacters(codes, values);
    else if (value.name === "endbfrange") addRanges(codes, values);
    values = [];
  }
  return { codes, bytesPerCode: Math.max(1, bytesPerCode) };
}

function addCharacters(codes: Map<number, string>, values: readonly PdfValue[]): void {
  for (let at = 0; at + 1 < values.length; at += 2) {
    const code = bytesOf(values[at]);
    const to = bytesOf(values[at + 1]);
    if (code !== null && to !== null && codes.size < MOST_CODES) codes.set(codeOf(code), utf16(to));
  }
}

function addRanges(codes: Map<number, string>, values: readonly PdfValue[]): void {
  for (let at = 0; at + 2 < values.length; at += 3) {
    const low = bytesOf(values[at]);
    const high = bytesOf(values[at + 1]);
    const to = values[at + 2];
    if (low === null || high === null) continue;
    const first = codeOf(low);
    for (let code = first; code <= codeOf(high) && codes.size < MOST_CODES; code++) {
      const each = typeof to === "object" && to?.kind === "array" ? bytesOf(to.values[code - first]) : null;
      const start = bytesOf(to);
      if (each !== null) codes.set(code, utf16(each));
      else if (start !== null) codes.set(code, shifted(utf16(start), code - first));
    }
  }
}

function shifted(text: string, by: number): string {
  const points = Array.from(text);
  const last = points.pop()?.codePointAt(0) ?? 0;
  return points.join("") + String.fromCodePoint(Math.min(0x10ffff, last + by));
}

function bytesOf(value: PdfValue | undefined): string | null {
  return typeof value === "object" && value?.kind === "string" ? value.bytes : null;
}

function codeOf(bytes: string): number {
  return Array.from(bytes).reduce((code, byte) => code * 256 + byte.charCodeAt(0), 0);
}

function utf16(bytes: string): string {
  const units: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) units.push(codeOf(bytes.slice(at, at + 2)));
  return String.fromCharCode(...units);
}
