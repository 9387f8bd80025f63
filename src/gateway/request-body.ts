import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Json } from "../domain/json.ts";

/** `bytes` are unpacked where that was possible; `packed` are as the client sent them. */
export type RequestBody = { readonly bytes: Buffer; readonly packed: Buffer } & (
  | { readonly ok: true; readonly json: Json }
  | { readonly ok: false; readonly status: number; readonly message: string }
);

const MAX_BYTES = 128 * 1024 * 1024;

/** The whole body, unpacked and parsed; an empty one is null. Never rejects for what the client sent, only when it leaves. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  const packed = Buffer.concat(chunks);
  const refuse = (status: number, message: string): RequestBody => ({
    ok: false,
    bytes: packed,
    packed,
    status,
    message,
  });
  if (size > MAX_BYTES)
    return refuse(413, `the request has ${size} bytes; at most ${MAX_BYTES} are accepted`);
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = UNPACKERS[encoding];
  if (unpack === undefined)
    return refuse(415, `the content encoding ${JSON.stringify(encoding)} is not supported`);
  let bytes: Buffer;
  try {
    bytes = await unpack(packed);
  } catch (error) {
    return refuse(400, `the body cannot be unpacked as ${encoding}: ${(error as Error).message}`);
  }
  if (bytes.length === 0) return { ok: true, bytes, packed, json: null };
  try {
    return { ok: true, bytes, packed, json: JSON.parse(bytes.toString("utf8")) as Json };
  } catch (error) {
    return refuse(400, `the body is not JSON: ${(error as Error).message}`);
  }
}

const LIMIT = { maxOutputLength: MAX_BYTES };

const UNPACKERS: Readonly<Record<string, (packed: Buffer) => Promise<Buffer>>> = {
  identity: (packed) => Promise.resolve(packed),
  gzip: (packed) => promisify<Buffer, typeof LIMIT, Buffer>(gunzip)(packed, LIMIT),
  deflate: (packed) => promisify<Buffer, typeof LIMIT, Buffer>(inflate)(packed, LIMIT),
  br: (packed) => promisify<Buffer, typeof LIMIT, Buffer>(brotliDecompress)(packed, LIMIT),
};
