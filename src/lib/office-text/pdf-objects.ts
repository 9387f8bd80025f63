import { inflateSync } from "node:zlib";
import { type PdfDictionary, pdfReader, type PdfValue } from "./pdf-value.ts";
import { TooLarge } from "./unzip.ts";

/** The objects of a PDF file by number. */
export interface PdfObjects {
  /** The value itself, with references followed. */
  get(value: PdfValue | undefined): PdfValue | undefined;
  /** A dictionary's entry; undefined where there is no dictionary. */
  entry(value: PdfValue | undefined, key: string): PdfValue | undefined;
  /** The decoded bytes of a stream, one character each; null when it has none or its filters are not known. */
  stream(value: PdfValue | undefined): string | null;
  readonly all: ReadonlyMap<number, PdfValue>;
  readonly encrypted: boolean;
}

interface RawStream {
  readonly start: number;
  readonly dictionary: PdfDictionary;
}

/** Objects are looked for rather than found by the index, which is often wrong and sometimes compressed. */
export function pdfObjects(bytes: Buffer, mostBytes: number): PdfObjects {
  const text = bytes.toString("latin1");
  const all = new Map<number, PdfValue>();
  const streams = new Map<PdfValue, RawStream>();
  let left = mostBytes;
  let read = 0;
  for (const header of text.matchAll(/(\d{1,9})\s+\d{1,5}\s+obj\b/g)) {
    // Objects do not stand in each other; a file that pretends so would be read again and again.
    if (header.index < read) continue;
    const reader = pdfReader(text, header.index + header[0].length);
    const value = reader.next();
    read = reader.at;
    if (value === undefined) continue;
    all.set(Number(header[1]), value);
    const body = /\s*stream\r?\n/y;
    body.lastIndex = reader.at;
    if (isDictionary(value) && body.test(text))
      streams.set(value, { start: body.lastIndex, dictionary: value });
  }

  const objects: PdfObjects = {
    all,
    encrypted: /\/Encrypt\s+\d+\s+\d+\s+R/.test(text),
    get(value) {
      let found = value;
      for (let hops = 0; hops < 20 && isReference(found); hops++) found = all.get(found.id);
      return isReference(found) ? undefined : found;
    },
    entry(value, key) {
      const found = objects.get(value);
      return found !== undefined && isDictionary(found) ? objects.get(found.entries.get(key)) : undefined;
    },
    stream(value) {
      const found = objects.get(value);
      const raw = found === undefined ? undefined : streams.get(found);
      if (raw === undefined) return null;
      const decoded = decode(bytes.subarray(raw.start, streamEnd(raw)), filters(raw.dictionary), left);
      if (decoded !== null) left -= decoded.length;
      if (left < 0) throw new TooLarge();
      return decoded?.toString("latin1") ?? null;
    },
  };

  function streamEnd({ start, dictionary }: RawStream): number {
    const length = objects.get(dictionary.entries.get("Length"));
    if (typeof length === "number" && /^\s*endstream/.test(text.slice(start + length, start + length + 20)))
      return start + length;
    const end = text.indexOf("endstream", start);
    return end === -1 ? text.length : end;
  }

  function filters(dictionary: PdfDictionary): readonly string[] {
    const value = objects.get(dictionary.entries.get("Filter"));
    const list = isArray(value) ? value.values.map((one) => objects.get(one)) : [value];
    return list.flatMap((one) => (typeof one === "object" && one?.kind === "name" ? [one.name] : []));
  }

  const written = [...all.values()];
  for (const value of written) addCompressed(objects, value, all);
  return objects;
}

/** Objects that are packed together in a stream. */
function addCompressed(objects: PdfObjects, value: PdfValue, all: Map<number, PdfValue>): void {
  const type = objects.entry(value, "Type");
  if (typeof type !== "object" || type?.kind !== "name" || type.name !== "ObjStm") return;
  const first = objects.entry(value, "First");
  const text = objects.stream(value);
  if (text === null || typeof first !== "number") return;
  const index = pdfReader(text.slice(0, first));
  for (;;) {
    const id = index.next();
    const offset = index.next();
    if (typeof id !== "number" || typeof offset !== "number") return;
    const packed = pdfReader(text, first + offset).next();
    if (packed !== undefined && !all.has(id)) all.set(id, packed);
  }
}

function decode(bytes: Buffer, filters: readonly string[], mostBytes: number): Buffer | null {
  let decoded = bytes;
  for (const filter of filters) {
    if (filter === "FlateDecode" || filter === "Fl") {
      const inflated = inflate(decoded, mostBytes);
      if (inflated === null) return null;
      decoded = inflated;
    } else if (filter === "ASCII85Decode" || filter === "A85") decoded = ascii85(decoded.toString("latin1"));
    else if (filter === "ASCIIHexDecode" || filter === "AHx") {
      decoded = Buffer.from(decoded.toString("latin1").replaceAll(/[^0-9a-fA-F]/g, ""), "hex");
    } else return null;
  }
  return decoded;
}

function inflate(bytes: Buffer, mostBytes: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, mostBytes), finishFlush: 2 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw new TooLarge();
    return null;
  }
}

function ascii85(text: string): Buffer {
  const bytes: number[] = [];
  let group: number[] = [];
  const flush = (count: number): void => {
    while (group.length < 5) group.push(84);
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
    for (let i = 0; i < count; i++) bytes.push(Math.floor(value / 256 ** (3 - i)) % 256);
    group = [];
  };
  for (const char of text.replace(/^\s*<~/, "")) {
    if (char === "~") break;
    if (char === "z" && group.length === 0) bytes.push(0, 0, 0, 0);
    else if (char >= "!" && char <= "u") {
      group.push(char.charCodeAt(0) - 33);
      if (group.length === 5) flush(4);
    }
  }
  if (group.length > 1) flush(group.length - 1);
  return Buffer.from(bytes);
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return typeof value === "object" && value?.kind === "dictionary";
}

export function isArray(
  value: PdfValue | undefined,
): value is { readonly kind: "array"; readonly values: readonly PdfValue[] } {
  return typeof value === "object" && value?.kind === "array";
}

function isReference(
  value: PdfValue | undefined,
): value is { readonly kind: "reference"; readonly id: number } {
  return typeof value === "object" && value?.kind === "reference";
}
