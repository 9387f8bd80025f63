import { createHash } from "node:crypto";
import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Json } from "../../domain/json.ts";
import { UserError } from "../../domain/user-error.ts";
import type { WireName } from "../../wires/index.ts";

/** One request the server received, and what became of it. */
export interface SimRequest {
  /** Position among all requests, from 0. */
  readonly index: number;
  /** ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** With query; keys in it are hidden. */
  readonly path: string;
  /** Keys and tokens are hidden. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesIn: number;
  readonly sha256: string;
  /** Parsed; null when there is none, when it is large, or when later requests needed the room. */
  readonly body: Json;
  /** Null for anything that is not a model request. */
  readonly seen: SeenRequest | null;
  /** The rule that answered; null for what the server answers by itself, and for what no rule matched. */
  readonly rule: string | null;
  /** What the client was told when nothing in the script fits. */
  readonly unmatched: string | null;
  /** Null when the connection was dropped before a status. */
  readonly status: number | null;
  readonly bytesOut: number;
  readonly end: "open" | "complete" | "cut" | "client-left";
}

/** What a model request says, kept even when its body is not. */
export interface SeenRequest {
  readonly wire: WireName;
  readonly model: string;
  readonly stream: boolean;
  readonly conversation: string | null;
  readonly turn: number;
  readonly step: number;
  /** Its first 2000 characters. */
  readonly userText: string;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
  readonly side: boolean;
}

/** Was the skill in the listing of the first model request (of one conversation)? Null when there was no such request. */
export function skillOffered(
  requests: readonly SimRequest[],
  skill: string,
  options: { conversation?: string } = {},
): boolean | null {
  const first = modelRequests(requests).find(
    (seen) =>
      !seen.side && (options.conversation === undefined || seen.conversation === options.conversation),
  );
  return first === undefined ? null : first.skills.includes(skill);
}

function modelRequests(requests: readonly SimRequest[]): readonly SeenRequest[] {
  return requests.flatMap((request) => (request.seen === null ? [] : [request.seen]));
}

/** Grows with its exchange; outside it is a `SimRequest`. */
export type GrowingRequest = { -readonly [K in keyof SimRequest]: SimRequest[K] };

export interface RequestLog {
  readonly requests: readonly SimRequest[];
  readonly unmatched: readonly SimRequest[];
  add(draft: GrowingRequest): void;
  /** Its exchange is over: goes to the file and the listener. */
  finish(draft: GrowingRequest): void;
  close(): Promise<void>;
}

const MAX_REQUESTS = 2000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export async function requestLog(options: {
  file?: string | undefined;
  listener?: ((request: SimRequest) => void) | undefined;
}): Promise<RequestLog> {
  const file = options.file === undefined ? null : await openFile(options.file);
  const requests: GrowingRequest[] = [];
  const unmatched: GrowingRequest[] = [];
  let keptBytes = 0;
  return {
    requests,
    unmatched,
    add(draft) {
      if (draft.bytesIn > MAX_BODY_BYTES) draft.body = null;
      requests.push(draft);
      if (draft.unmatched !== null) unmatched.push(draft);
      if (requests.length > MAX_REQUESTS) keptBytes -= weight(requests.shift());
      if (unmatched.length > MAX_REQUESTS) unmatched.shift();
      keptBytes += weight(draft);
      for (const older of requests) {
        if (keptBytes <= MAX_KEPT_BYTES) break;
        keptBytes -= weight(older);
        older.body = null;
      }
    },
    finish(draft) {
      file?.write(`${JSON.stringify(draft)}\n`);
      options.listener?.(draft);
    },
    async close() {
      if (file === null) return;
      file.end();
      if (!file.closed) await once(file, "close");
    },
  };
}

export function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const SECRET_HEADER = /^(?:authorization|proxy-authorization|cookie|x-api-key|x-goog-api-key|api-key)$/;

export function withoutSecrets(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    SECRET_HEADER.test(name) ? "[hidden]" : [value ?? ""].flat().join(", "),
  ]);
  return Object.fromEntries(shown) as Record<string, string>;
}

export function pathWithoutSecrets(path: string): string {
  return path.replace(/([?&](?:key|api_key|access_token)=)[^&]*/g, "$1[hidden]");
}

function weight(draft: GrowingRequest | undefined): number {
  return draft === undefined || draft.body === null ? 0 : draft.bytesIn;
}

async function openFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { flags: "a" });
  try {
    await once(file, "open");
  } catch (error) {
    throw new UserError(
      "sim/log-unwritable",
      `the request log ${path} cannot be written: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  return file;
}
