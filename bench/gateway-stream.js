import { createHash } from "node:crypto";

const EVENTS = 20;

/** The events of the answer to a request with this mark. */
export function eventsOf(mark) {
  const words = Array.from({ length: EVENTS }, (_, index) =>
    event({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: `${mark}:${index} `.repeat(4) },
    }),
  );
  return [...words, event({ type: "message_delta", usage: { input_tokens: 12_000, output_tokens: 80 } })];
}

/** Written before an event: when it was sent, by a clock that all processes of a machine share. */
export function stamp() {
  return `: ${process.hrtime.bigint()}\n`;
}

/** How long each event took to get here, given what arrived with it. */
export function lagsMs(text) {
  const now = process.hrtime.bigint();
  return [...text.matchAll(/^: (\d+)$/gm)].map((match) => Number(now - BigInt(match[1])) / 1e6);
}

/** Of an answer without its stamps. */
export function digest(text) {
  return createHash("sha256")
    .update(text.replaceAll(/^: \d+\n/gm, ""))
    .digest("hex");
}

function event(body) {
  return `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;
}
