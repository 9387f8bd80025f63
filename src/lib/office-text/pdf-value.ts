/** A value of a PDF file; streams are kept apart from their dictionaries. */
export type PdfValue =
  | null
  | boolean
  | number
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "string"; readonly bytes: string }
  | { readonly kind: "reference"; readonly id: number }
  | { readonly kind: "operator"; readonly name: string }
  | { readonly kind: "array"; readonly values: readonly PdfValue[] }
  | PdfDictionary;

export interface PdfDictionary {
  readonly kind: "dictionary";
  readonly entries: ReadonlyMap<string, PdfValue>;
}

/** Reads values one after the other from text in which each character is one byte. */
export interface PdfReader {
  at: number;
  /** Undefined at the end. */
  next(): PdfValue | undefined;
}

const MOST_DEPTH = 60;

export function pdfReader(text: string, from = 0): PdfReader {
  const reader: PdfReader = { at: from, next: () => readValue(text, reader, 0) };
  return reader;
}

function readValue(text: string, reader: PdfReader, depth: number): PdfValue | undefined {
  skipSpace(text, reader);
  const char = text[reader.at];
  if (char === undefined || depth > MOST_DEPTH) return undefined;
  if (char === "/") return { kind: "name", name: readName(text, reader) };
  if (char === "(") return { kind: "string", bytes: readLiteral(text, reader) };
  if (text.startsWith("<<", reader.at)) return readDictionary(text, reader, depth);
  if (char === "<") return { kind: "string", bytes: readHex(text, reader) };
  if (char === "[") return readArray(text, reader, depth);
  if (char === "]" || char === ">" || char === ")" || char === "{" || char === "}") {
    reader.at++;
    return { kind: "operator", name: char };
  }
  return readWord(text, reader);
}

function readWord(text: string, reader: PdfReader): PdfValue {
  const word = match(/[^\s\0()<>[\]{}/%]+/y, text, reader.at)?.[0] ?? "";
  const reference = match(/(\d+)\s+\d+\s+R(?![^\s\0()<>[\]{}/%])/y, text, reader.at);
  if (reference !== null) {
    reader.at += reference[0].length;
    return { kind: "reference", id: Number(reference[1]) };
  }
  reader.at += Math.max(1, word.length);
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  return word === "null" ? null : { kind: "operator", name: word };
}

function readDictionary(text: string, reader: PdfReader, depth: number): PdfDictionary {
  reader.at += 2;
  const entries = new Map<string, PdfValue>();
  for (;;) {
    skipSpace(text, reader);
    if (reader.at >= text.length) break;
    if (text.startsWith(">>", reader.at)) {
      reader.at += 2;
      break;
    }
    const key = readValue(text, reader, depth + 1);
    const value = readValue(text, reader, depth + 1);
    if (key === undefined || value === undefined) break;
    if (typeof key === "object" && key?.kind === "name") entries.set(key.name, value);
  }
  return { kind: "dictionary", entries };
}

function readArray(text: string, reader: PdfReader, depth: number): PdfValue {
  reader.at++;
  const values: PdfValue[] = [];
  for (;;) {
    skipSpace(text, reader);
    if (reader.at >= text.length) break;
    if (text[reader.at] === "]") {
      reader.at++;
      break;
    }
    const value = readValue(text, reader, depth + 1);
    if (value === undefined) break;
    values.push(value);
  }
  return { kind: "array", values };
}

function readName(text: string, reader: PdfReader): string {
  const name = match(/\/[^\s\0()<>[\]{}/%]*/y, text, reader.at)?.[0] ?? "/";
  reader.at += name.length;
  return name
    .slice(1)
    .replaceAll(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function readLiteral(text: string, reader: PdfReader): string {
  const parts: string[] = [];
  let depth = 0;
  for (; reader.at < text.length; reader.at++) {
    const char = text[reader.at] ?? "";
    if (char === "\\") {
      const octal = match(/[0-7]{1,3}/y, text, reader.at + 1)?.[0];
      const next = text[reader.at + 1] ?? "";
      if (octal !== undefined) parts.push(String.fromCharCode(Number.parseInt(octal, 8) & 0xff));
      else if (next !== "\n" && next !== "\r") parts.push(ESCAPES[next] ?? next);
      reader.at += octal?.length ?? 1;
      continue;
    }
    if (char === "(" && depth++ === 0) continue;
    if (char === ")" && --depth === 0) {
      reader.at++;
      break;
    }
    parts.push(char);
  }
  return parts.join("");
}

function readHex(text: string, reader: PdfReader): string {
  const end = text.indexOf(">", reader.at);
  const digits = text.slice(reader.at + 1, end === -1 ? undefined : end).replaceAll(/[^0-9a-fA-F]/g, "");
  reader.at = end === -1 ? text.length : end + 1;
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex").toString("latin1");
}

function skipSpace(text: string, reader: PdfReader): void {
  reader.at += match(/(?:[\s\0]+|%[^\r\n]*)*/y, text, reader.at)?.[0].length ?? 0;
}

function match(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
