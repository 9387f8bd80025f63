import type { KeptReply } from "../../wires/cassette.ts";
import type { ModelCall, Observer, Tape } from "../call.ts";
import type { Exchange } from "./cassette.ts";
import type { Listener } from "./surroundings.ts";
import { readReply, respelledReply } from "./reply.ts";

/** Keeps what passes. Only whole, good answers: what failed is asked again by the client, and the next time by nobody. */
export interface TapeRecorder {
  readonly tape: Tape;
  /** In the order in which they were asked. */
  exchanges(): readonly Exchange[];
}

export function recorder(listener: Listener): TapeRecorder {
  const heard: (Exchange | null)[] = [];
  const threads = new Map<string, number>();
  return {
    tape: {
      observe(call) {
        if (call.operation !== "answer") return DEAF;
        const place = heard.push(null) - 1;
        const { thread: name, turns, pieces, spelling } = listener.hear(call);
        const thread = threads.get(name) ?? threads.size;
        threads.set(name, thread);
        return collector(call, (reply) => {
          const kept = respelledReply(reply, spelling.toTape);
          heard[place] = { thread, turns, wire: call.wire, pieces, reply: kept };
        });
      },
    },
    exchanges: () => heard.filter((exchange) => exchange !== null),
  };
}

const DEAF: Observer = { head() {}, chunk() {}, end() {} };

/** Longer replies are none that a person would keep in a repository. */
const LONGEST_BYTES = 32 * 1024 * 1024;

/** Collects one reply and gives it away when it is whole and good. */
export function collector({ wire }: Pick<ModelCall, "wire">, take: (reply: KeptReply) => void): Observer {
  let status = 0;
  let contentType = "";
  let bytes = 0;
  let chunks: Buffer[] = [];
  return {
    head(code, headers) {
      status = code;
      contentType = headers["content-type"] ?? "";
    },
    chunk(piece) {
      bytes += piece.length;
      if (bytes <= LONGEST_BYTES) chunks.push(piece);
      else chunks = [];
    },
    end(how) {
      if (how !== "complete" || status >= 400 || bytes > LONGEST_BYTES) return;
      const text = Buffer.concat(chunks).toString("utf8");
      const reply = readReply(wire, { status, contentType, text });
      if (reply !== null) take(reply);
    },
  };
}
