import type { TranscriptEvent } from "../../src/domain/transcript.ts";

/** What an agent said, as its transcript has it. */
export const said = (index: number, text: string): TranscriptEvent => ({
  index,
  turn: 1,
  agent: null,
  kind: "message",
  role: "assistant",
  text,
});
