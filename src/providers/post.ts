import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";

export type HttpReply =
  | {
      readonly kind: "reply";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
    }
  /** The connection failed, or ended before the reply did. */
  | { readonly kind: "broken"; readonly message: string };

/** More than any model says; a service that sends more is broken or hostile. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/**
 * One JSON request and its whole reply, with no time limit but the signal: a slow local model may think for many
 * minutes before its first byte. Rejects only when `signal` fires.
 */
export async function post(
  url: URL,
  { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
): Promise<HttpReply> {
  signal.throwIfAborted();
  try {
    const response = await send(url, { headers, body, signal });
    return {
      kind: "reply",
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: await whole(response),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "broken", message: `${url.host}: ${messageOf(error)}` };
  }
}

function send(
  url: URL,
  { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? httpsRequest : httpRequest;
    const bytes = Buffer.from(body);
    const request = open(url, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "user-agent": "assay",
        "content-length": bytes.length,
        ...headers,
      },
    });
    request.once("error", reject);
    request.once("response", resolve);
    request.end(bytes);
  });
}

async function whole(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) throw new Error(`the reply is longer than ${MAX_REPLY_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error("the connection was closed in the middle of the reply");
  return Buffer.concat(chunks).toString("utf8");
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first !== undefined) return messageOf(first);
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
