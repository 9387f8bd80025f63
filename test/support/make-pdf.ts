import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export interface PdfOptions {
  /** The page's drawing operators, as they are in the file: filtered already, if a filter is named. */
  readonly content: string;
  readonly filter?: string;
  /** The entries of the font that is called F1. */
  readonly font?: string;
  /** More entries of the page's resources. */
  readonly resources?: string;
  /** Further objects, numbered from 6. */
  readonly objects?: readonly string[];
  readonly encryption?: { readonly userPassword: string; readonly ownerPassword: string };
}

export const FONT = "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding";

/** A PDF of one page with its table of objects. */
export function makePdf({ content, filter, font = FONT, resources = "", ...rest }: PdfOptions): Buffer {
  const encryption = rest.encryption === undefined ? null : encrypt(rest.encryption);
  const drawn = encryption === null ? content : encryption.stream(4, content);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> ${resources} >> /Contents 4 0 R >>`,
    pdfStream(drawn, filter === undefined ? "" : `/Filter ${filter}`),
    `<< ${font} >>`,
    ...(rest.objects ?? []),
  ];
  return withTable(objects, encryption?.trailer ?? "");
}

/** The same, with all objects but the page's content packed into one stream that begins with `padding`. */
export function makePackedPdf(content: string, padding = ""): Buffer {
  const objects = [
    `${padding}<< /Type /Catalog /Pages 2 0 R >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
    `<< ${FONT} >>`,
  ].map((object) => `${object} `);
  const starts = objects.map((_, index) => objects.slice(0, index).join("").length);
  const index = starts.map((start, at) => `${at + 1} ${start} `).join("");
  const packed = deflateSync(index + objects.join("")).toString("latin1");
  const head = "%PDF-1.5\n";
  const drawn = `5 0 obj ${pdfStream(content)} endobj\n`;
  const entries = `/Type /ObjStm /N ${objects.length} /First ${index.length} /Filter /FlateDecode`;
  const body = `${head}${drawn}6 0 obj ${pdfStream(packed, entries)} endobj\n`;
  const table = [
    [0, 0, 0],
    ...objects.map((_, at) => [2, 6, at]),
    [1, head.length, 0],
    [1, head.length + drawn.length, 0],
    [1, body.length, 0],
  ].map(([kind = 0, place = 0, at = 0]) => [kind, place >> 16, (place >> 8) & 255, place & 255, at]);
  const tableEntries = `/Type /XRef /Size ${table.length} /W [1 3 1] /Root 1 0 R`;
  const stream = pdfStream(Buffer.from(table.flat()).toString("latin1"), tableEntries);
  return Buffer.from(`${body}7 0 obj ${stream} endobj\nstartxref\n${body.length}\n%%EOF\n`, "latin1");
}

export function pdfStream(content: string, entries = ""): string {
  return `<< ${entries} /Length ${content.length} >> stream\n${content}\nendstream`;
}

function withTable(objects: readonly string[], trailer: string): Buffer {
  let body = "%PDF-1.4\n";
  let table = "0000000000 65535 f \n";
  for (const [index, object] of objects.entries()) {
    table += `${String(body.length).padStart(10, "0")} 00000 n \n`;
    body += `${index + 1} 0 obj ${object} endobj\n`;
  }
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n${table}trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + end, "latin1");
}

/** The standard handler's first revision: RC4 with 40 bits. */
function encrypt({ userPassword, ownerPassword }: NonNullable<PdfOptions["encryption"]>) {
  const id = Buffer.from("0123456789abcdef", "latin1");
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-44);
  const owner = rc4(md5(padded(ownerPassword)).subarray(0, 5), padded(userPassword));
  const key = md5(padded(userPassword), owner, permissions, id).subarray(0, 5);
  const user = rc4(key, PADDING);
  const hex = (bytes: Buffer) => `<${bytes.toString("hex")}>`;
  return {
    trailer: `/ID [${hex(id)} ${hex(id)}] /Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O ${hex(owner)} /U ${hex(user)} >>`,
    stream(object: number, content: string): string {
      const salt = Buffer.from([object, 0, 0, 0, 0]);
      return rc4(md5(key, salt).subarray(0, 10), Buffer.from(content, "latin1")).toString("latin1");
    },
  };
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, "latin1"), PADDING]).subarray(0, 32);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, input: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b]!, state[a]!]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    input.map((byte) => {
      i = (i + 1) & 255;
      j = (j + state[i]!) & 255;
      swap(i, j);
      return byte ^ state[(state[i]! + state[j]!) & 255]!;
    }),
  );
}
