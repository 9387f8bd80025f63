import type { Json } from "../domain/json.ts";
import { EventStream } from "../wires/event-stream.ts";
import type { WireName } from "../wires/index.ts";
import { slotOf } from "./cassette/slots.ts";

/** What models said to one trial. */
export interface Replies {
  /** A reply that is about to pass. */
  open(wire: WireName, contentType: string): PassingReply;
  /** Every text in them, ids and names too, joined where it came in pieces; null: there was too much to keep. */
  texts(): readonly string[] | null;
}

export interface PassingReply {
  push(chunk: Buffer): void;
  end(): void;
}

export function keepReplies(): Replies {
  let texts: string[] | null = [];
  let chars = 0;
  const keep = (found: readonly string[]): void => {
    chars += found.reduce((sum, text) => sum + text.length, 0);
    if (chars > MOST_CHARS) texts = null;
    texts?.push(...found);
  };
  return {
    open(wire, contentType) {
      let chunks: Buffer[] = [];
      let bytes = 0;
      return {
        push(chunk) {
          bytes += chunk.length;
          if (bytes > MOST_BYTES) [texts, chunks] = [null, []];
          if (texts !== null) chunks.push(chunk);
        },
        end() {
          if (texts !== null) keep(textsOf(wire, contentType, Buffer.concat(chunks).toString("utf8")));
          chunks = [];
        },
      };
    },
    texts: () => texts,
  };
}

/** Longer than a reply can be. */
const MOST_BYTES = 32 * 1024 * 1024;
/** More than models say in a trial. */
const MOST_CHARS = 32 * 1024 * 1024;

function textsOf(wire: WireName, contentType: string, text: string): readonly string[] {
  if (!contentType.startsWith("text/event-stream")) return leavesOf(parsed(text));
  const stream = new EventStream();
  const joined = new Map<string, string>();
  const leaves: string[] = [];
  for (const { data } of [...stream.push(text), ...stream.end()]) {
    const value = parsed(data);
    const slot = slotOf(wire, value);
    if (slot !== null) joined.set(slot.key, (joined.get(slot.key) ?? "") + slot.text);
    else leaves.push(...leavesOf(value));
  }
  return [...new Set([...leaves, ...[...joined.values()].flatMap(leavesOf)])];
}

/** What a tool is called with is often JSON in a text. */
function leavesOf(value: Json): readonly string[] {
  if (typeof value === "string") {
    const inner = /^\s*[{[]/u.test(value) ? parsed(value) : null;
    return inner === null ? [value] : [value, ...leavesOf(inner)];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.values(value as Record<string, Json>).flatMap(leavesOf);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
