import type { Json } from "../../domain/json.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import type { Exhibit, Room } from "./block.ts";
import { shownName } from "./shown-name.ts";

/** What the agent said and did, one exhibit for each event that a judge may cite. */
export interface Events {
  readonly exhibits: readonly Exhibit[];
  /** How often each tool was called, whatever of the calls is shown. */
  readonly toolCounts: ReadonlyMap<string, number>;
  readonly hasAnswer: boolean;
}

/** Thinking and usage are left out: they are not what the agent did. */
export async function eventExhibits(transcript: AsyncIterable<TranscriptEvent>): Promise<Events> {
  const exhibits: Exhibit[] = [];
  const toolCounts = new Map<string, number>();
  const tools = new Map<string, string>();
  let hasAnswer = false;
  let held = 0;
  for await (const event of transcript) {
    if (event.kind === "tool-call") {
      toolCounts.set(event.tool, (toolCounts.get(event.tool) ?? 0) + 1);
      tools.set(event.callId, event.tool);
    }
    if (event.kind === "message" && event.role === "assistant" && event.text.trim() !== "") hasAnswer = true;
    const shown = shownEvent(event, tools);
    if (shown === null) continue;
    const text = shown.text.slice(0, held > MOST_HELD ? HELD_LATER : HELD_EACH);
    held += text.length;
    exhibits.push({
      label: `event ${event.index}`,
      title: event.agent === null ? shown.title : `${shown.title} (sub-agent ${shownName(event.agent)})`,
      source: { kind: "event", index: event.index },
      room: shown.room,
      given: event.kind === "message" && event.role === "user" && event.agent === null,
      content: { kind: "text", text, unread: shown.text.length - text.length },
    });
  }
  return { exhibits, toolCounts, hasAnswer };
}

/** A transcript of any size is read; what is kept of it has a bound. */
const HELD_EACH = 400_000;
const HELD_LATER = 4000;
const MOST_HELD = 20_000_000;

interface Shown {
  readonly title: string;
  readonly text: string;
  readonly room: Room;
}

function shownEvent(event: TranscriptEvent, tools: ReadonlyMap<string, string>): Shown | null {
  switch (event.kind) {
    case "message":
      return { title: event.role, text: event.text, room: event.agent === null ? "turns" : "actions" };
    case "tool-call":
      return { title: `call of ${shownName(event.tool)}`, text: inputText(event.input), room: "actions" };
    case "tool-result": {
      const of = `result of ${resultOf(event.tool ?? tools.get(event.callId))}`;
      let ending = "";
      if (event.denied) ending = ", denied";
      else if (event.isError) ending = ", an error";
      return { title: `${of}${ending}`, text: event.output, room: "actions" };
    }
    case "skill-activated":
      return { title: "skill taken up", text: event.skill, room: "actions" };
    case "error":
      return { title: "error", text: event.message, room: "actions" };
    case "thinking":
    case "usage":
      return null;
  }
}

function resultOf(tool: string | undefined): string {
  return tool === undefined ? "a tool" : shownName(tool);
}

/** Texts as they are rather than as JSON, so that they can be quoted as they are. */
function inputText(input: Json): string {
  if (typeof input === "string") return input;
  if (input === null || typeof input !== "object" || Array.isArray(input)) return JSON.stringify(input);
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
