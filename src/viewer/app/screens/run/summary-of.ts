import { inputWords } from "../../../../domain/event-texts.ts";
import type { TranscriptEvent } from "../../../../domain/transcript.ts";
import { count, money } from "../../format.ts";
import { TEXTS } from "../../texts.ts";

interface EventSummary {
  readonly sign: string;
  readonly label: string;
  readonly text: string;
}

/** What a step is, in a line. */
export function summaryOf(event: TranscriptEvent): EventSummary {
  switch (event.kind) {
    case "message":
      return {
        sign: event.role === "user" ? "›" : "●",
        label: event.role === "user" ? TEXTS.timeline.user : "",
        text: event.text,
      };
    case "thinking":
      return { sign: "…", label: "", text: event.text };
    case "tool-call":
      return { sign: "⚙", label: event.tool, text: inputWords(event.input) };
    case "tool-result":
      return {
        sign: event.isError || event.denied ? "✗" : "↳",
        label: event.denied ? TEXTS.timeline.denied : event.isError ? TEXTS.timeline.failed : "",
        text: event.output,
      };
    case "skill-activated":
      return { sign: "★", label: TEXTS.timeline.activated(event.skill), text: event.by };
    case "error":
      return { sign: "!", label: TEXTS.timeline.error, text: event.message };
    case "usage":
      return {
        sign: "Σ",
        label: "",
        text: TEXTS.timeline.usage(
          count(event.usage.inputTokens),
          count(event.usage.outputTokens),
          money(event.usage.costUsd),
        ),
      };
  }
}

const LINE = 160;

export function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > LINE ? `${line.slice(0, LINE)}…` : line;
}
