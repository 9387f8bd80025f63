import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Readable, Transform } from "node:stream";
import type { ModelCall } from "./call.ts";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Reaches a model service. Rejects when it cannot be reached, or when the signal fires. */
export type Transport = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamReply>;

export interface UpstreamRequest {
  readonly call: ModelCall;
  /** How often it was sent, this time included. */
  readonly attempt: number;
  readonly url: URL;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface UpstreamReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Unpacked. Destroying it ends the exchange; an end before its time is an error. */
  readonly body: Readable;
}

/** Over connections that are kept and used again. */
export function httpTransport(): { readonly send: Transport; close(): void } {
  const agents = {
    "http:": new HttpAgent({ keepAlive: true, noDelay: true }),
    "https:": new HttpsAgent({ keepAlive: true, noDelay: true }),
  };
  const send: Transport = async (request, signal) => {
    signal.throwIfAborted();
    try {
      return await sendOnce(request, agents, signal);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return await sendOnce(request, agents, signal);
    }
  };
  return {
    send,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** A kept connection that the service closed just as we used it: nothing of the request was read. */
class StaleConnection extends Error {}

function sendOnce(
  { url, method, headers, body }: UpstreamRequest,
  agents: { "http:": HttpAgent; "https:": HttpsAgent },
  signal: AbortSignal,
): Promise<UpstreamReply> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const length = body.length > 0 || method === "POST" ? { "content-length": body.length } : {};
    const request: ClientRequest = (secure ? httpsRequest : httpRequest)(url, {
      method,
      signal,
      agent: agents[secure ? "https:" : "http:"],
      // A reply is easiest to pass on piece by piece when it is not packed; one that is packed anyway is unpacked.
      headers: { ...headers, "accept-encoding": "identity", ...length },
    });
    let sent = false;
    request.once("error", (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && error.code === "ECONNRESET" && !sent && !signal.aborted;
      reject(stale ? new StaleConnection(error.message) : error);
    });
    request.once("response", (response) => {
      sent = true;
      resolve({
        status: response.statusCode ?? 0,
        ...unpacked(response.headers, response),
      });
    });
    request.end(body);
  });
}

function unpacked(
  headers: IncomingHttpHeaders,
  body: Readable,
): { headers: IncomingHttpHeaders; body: Readable } {
  const unpack = UNPACKERS[(headers["content-encoding"] ?? "").trim().toLowerCase()];
  if (unpack === undefined) return { headers, body };
  const { "content-encoding": _, "content-length": __, ...rest } = headers;
  const plain = unpack();
  body.once("error", (error) => plain.destroy(error));
  plain.once("close", () => body.destroy());
  return { headers: rest, body: body.pipe(plain) };
}

/** A stream is to come out piece by piece as it goes in, not when a block is full. */
const FLUSHED = { flush: 2, finishFlush: 2 };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(FLUSHED),
  deflate: () => createInflate(FLUSHED),
  br: () => createBrotliDecompress(),
};
