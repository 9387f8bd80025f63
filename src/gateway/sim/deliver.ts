import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { once } from "node:events";
import type { Json } from "../../domain/json.ts";
import type { WireAnswer } from "../../wires/answer.ts";
import type { Ask } from "../../wires/ask.ts";
import type { SimView, StreamEvent } from "../../wires/sim.ts";
import type { Wire } from "../../wires/wire.ts";
import type { SimFault } from "./script.ts";

export interface Delivery {
  readonly response: ServerResponse;
  readonly wire: Wire;
  /** Fires when the client leaves or the server closes. */
  readonly signal: AbortSignal;
}

/** Sends an answer, or what the fault makes of it. Rejects with an abort when the client leaves first. */
export async function deliver(
  answer: WireAnswer,
  { fault, ask }: { fault: SimFault; ask: Ask },
  to: Delivery,
): Promise<void> {
  const { effect } = fault;
  if (fault.delayMs > 0) await sleep(fault.delayMs, undefined, { signal: to.signal });
  if (effect.kind === "drop") {
    to.response.destroy();
  } else if (effect.kind === "status") {
    const body =
      effect.body ??
      to.wire.http.errorBody(effect.status, effect.message ?? `scripted failure ${effect.status}`);
    sendJson(to.response, effect.status, { body, headers: effect.headers });
  } else if (ask.stream) {
    to.response.writeHead(200, STREAM_HEADERS);
    await sendFrames(framesOf(answer, effect, ask, to.wire.sim), fault, to);
  } else {
    const body = JSON.stringify(to.wire.sim.body(answer));
    to.response.writeHead(200, { "content-type": "application/json" });
    await sendFrames(effect.kind === "malformed" ? [`${body.slice(0, -1)},,`] : halves(body), fault, to);
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  { body, headers = {} }: { body: Json; headers?: Readonly<Record<string, string>> },
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(text);
}

const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

function framesOf(answer: WireAnswer, effect: SimFault["effect"], ask: Ask, sim: SimView): readonly string[] {
  const frames = sim.events(answer, ask).map(frame);
  if (effect.kind === "malformed") return [...frames.slice(0, 1), 'data: {"type": "broken\n\n'];
  if (effect.kind !== "error-event") return frames;
  return [...frames.slice(0, 1), frame(sim.errorEvent(effect.type, effect.message))];
}

function frame({ event, data }: StreamEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === null ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

function halves(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2);
  const pair = /[\uD800-\uDBFF]/.test(text.charAt(middle - 1));
  return [text.slice(0, pair ? middle - 1 : middle), text.slice(pair ? middle - 1 : middle)];
}

async function sendFrames(
  frames: readonly string[],
  fault: SimFault,
  { response, signal }: Delivery,
): Promise<void> {
  const { effect, chunkDelayMs } = fault;
  for (const [index, text] of frames.entries()) {
    if (effect.kind === "cut" && index >= effect.afterEvents) break;
    if (index > 0 && chunkDelayMs > 0) await sleep(chunkDelayMs, undefined, { signal });
    if (effect.kind === "stall" && index > 0) await once(signal, "abort");
    signal.throwIfAborted();
    if (!response.write(text)) await once(response, "drain", { signal });
  }
  if (effect.kind !== "cut") {
    response.end();
    return;
  }
  response.flushHeaders();
  // What was written reaches the client before the connection goes away without its proper end.
  await new Promise((done) => response.write("", done));
  response.destroy();
}
