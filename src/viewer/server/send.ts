import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { OpenedFile } from "../../operations/view.ts";
import { IMAGE_TYPES } from "../image-types.ts";

type Headers = Readonly<Record<string, string | number>>;

/** On every answer: nothing is kept, guessed, framed or told to others. */
const ALWAYS: Headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

const compress = promisify(gzip);

/** A text of a type that we choose. */
export async function sendText(
  exchange: HttpExchange,
  {
    status = 200,
    type,
    text,
    headers = {},
  }: { status?: number; type: string; text: string; headers?: Headers },
): Promise<void> {
  const { request, response } = exchange;
  const plain = Buffer.from(text);
  const packs = plain.length > 1024 && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const body = packs ? await compress(plain, { level: 4 }) : plain;
  response.writeHead(status, {
    ...ALWAYS,
    "content-type": `${type}; charset=utf-8`,
    "content-length": body.length,
    vary: "accept-encoding",
    ...(packs && { "content-encoding": "gzip" }),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { ...ALWAYS, "content-type": "text/event-stream; charset=utf-8" });
}

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Bytes that an agent made: images and PDFs are shown, everything else is a download. Closes the file. */
export async function sendFile(
  { request, response }: HttpExchange,
  { handle, bytes }: OpenedFile,
  name: string,
): Promise<void> {
  try {
    const type = SHOWN.get(extname(name).toLowerCase());
    const range = rangeOf(request.headers.range, bytes);
    const headers = {
      ...ALWAYS,
      "accept-ranges": "bytes",
      "content-type": type ?? "application/octet-stream",
      "content-disposition": `${type === undefined ? "attachment" : "inline"}; filename*=UTF-8''${encoded(name)}`,
      ...(type === "application/pdf" && {
        "x-frame-options": "SAMEORIGIN",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
      }),
    };
    if (range === "beyond") {
      response.writeHead(416, { ...ALWAYS, "content-range": `bytes */${bytes}` });
      response.end();
      return;
    }
    const { start, end } = range ?? { start: 0, end: bytes - 1 };
    response.writeHead(range === null ? 200 : 206, {
      ...headers,
      "content-length": end - start + 1,
      ...(range !== null && { "content-range": `bytes ${start}-${end}/${bytes}` }),
    });
    if (request.method === "HEAD" || end < start) response.end();
    else await pipeline(handle.createReadStream({ start, end, autoClose: false }), response);
  } finally {
    await handle.close();
  }
}

const SHOWN: ReadonlyMap<string, string> = new Map([...IMAGE_TYPES, [".pdf", "application/pdf"]]);

/** Null: all of it is wanted, or what is asked for is not understood, which means the same. */
function rangeOf(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | "beyond" | null {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  const start = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return start > end ? "beyond" : { start, end };
}

function encoded(name: string): string {
  return encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, "_")).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}
