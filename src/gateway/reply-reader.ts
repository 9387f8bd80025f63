import { objectAt, textAt } from "../lib/loose.ts";
import type { ServiceError } from "../wires/client.ts";
import type { HttpView } from "../wires/http.ts";
import { type WireName, WIRES } from "../wires/index.ts";
import { laterMetered, type Metered, NOTHING_METERED } from "../wires/usage.ts";

/** Reads token counts and errors out of a reply while it passes, in little memory and without changing it. */
export interface ReplyReader {
  push(chunk: Buffer): void;
  /** True from the piece on in which the model begins to speak; always false outside streams. */
  readonly speaking: boolean;
  /** What the reply said so far. */
  read(): ReadSoFar;
}

export interface ReadSoFar {
  readonly metered: Metered;
  /** A failure told in the middle of a stream. */
  readonly error: ServiceError | null;
  readonly bytes: number;
}

/** Longer events and longer whole replies pass unread: their tokens stay unknown. */
const MAX_READ_BYTES = 32 * 1024 * 1024;

export function replyReader(wire: WireName, contentType: string | undefined): ReplyReader {
  const { http } = WIRES[wire];
  return contentType?.startsWith("text/event-stream") === true ? streamReader(http) : wholeReader(http);
}

function streamReader(http: HttpView): ReplyReader {
  let metered = NOTHING_METERED;
  let error: ServiceError | null = null;
  let bytes = 0;
  let speaking = false;
  const readLine = (line: Buffer): void => {
    // Most events are words of the model; only few are worth parsing.
    if (!line.includes(USAGE) && !line.includes(ERROR)) return;
    const event = parsed(line.subarray(line.indexOf(":") + 1));
    metered = laterMetered(metered, http.meter(event));
    error ??= errorIn(event);
  };
  const lines = lineSplitter(readLine);
  const firstWord = Buffer.from(http.firstWord);
  return {
    get speaking() {
      return speaking;
    },
    push(chunk) {
      bytes += chunk.length;
      speaking ||= chunk.includes(firstWord);
      lines(chunk);
    },
    read: () => ({ metered, error, bytes }),
  };
}

/** Whole lines that begin with `data:`; a line that is too long is left out. */
function lineSplitter(take: (line: Buffer) => void): (chunk: Buffer) => void {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end);
      if (begunBytes + rest.length <= MAX_READ_BYTES) {
        const line = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
        if (line[0] === D && line[4] === COLON) take(line);
      }
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) return;
    begunBytes += chunk.length - start;
    if (begunBytes <= MAX_READ_BYTES) begun.push(chunk.subarray(start));
    else begun = [];
  };
}

const NEWLINE = 10;
const COLON = 58;
/** The first letter of `data:`; no other field of an event is as long. */
const D = 100;
const USAGE = Buffer.from("usage");
const ERROR = Buffer.from("error");

function wholeReader(http: HttpView): ReplyReader {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return {
    speaking: false,
    push(chunk) {
      bytes += chunk.length;
      if (bytes <= MAX_READ_BYTES) chunks.push(chunk);
      else chunks = [];
    },
    read() {
      const body = parsed(Buffer.concat(chunks));
      // Gemini streams a list of replies when it is not asked for events.
      const replies: readonly unknown[] = Array.isArray(body) ? body : [body];
      const metered = replies.map((reply) => http.meter(reply)).reduce(laterMetered, NOTHING_METERED);
      return { metered, error: null, bytes };
    },
  };
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString("utf8")) as unknown;
  } catch {
    return null;
  }
}

function errorIn(event: unknown): ServiceError | null {
  const response = objectAt(event, "response");
  const told = [objectAt(event, "error"), objectAt(response, "error")].find((error) => "message" in error);
  if (told === undefined) return null;
  return {
    code: textAt(told, "type") || textAt(told, "code") || textAt(told, "status"),
    message: textAt(told, "message"),
  };
}
