import type { Activation, Denial } from "../domain/run.ts";
import { commandsNotFound } from "./missing-commands.ts";
import type { TranscriptBody, TranscriptEvent } from "../domain/transcript.ts";

/** Numbers the events of one trial, passes them on, and keeps the counts that a Run reports. */
export class Recorder {
  readonly toolCalls: Record<string, number> = {};
  toolErrors = 0;
  readonly denials: Denial[] = [];
  readonly activations: Activation[] = [];
  /** Commands that a shell did not find. */
  readonly missing = new Set<string>();
  /** The main agent's messages of all turns, joined by newlines, up to a bound; the transcript has them whole. */
  messages = "";
  readonly #calls = new Map<string, Denial>();
  #next = 0;
  #cut = false;
  readonly #sink: (event: TranscriptEvent) => void;

  constructor(sink: (event: TranscriptEvent) => void) {
    this.#sink = sink;
  }

  readonly emit = (body: TranscriptBody, head: { turn?: number; agent?: string | null } = {}): number => {
    const index = this.#next++;
    this.#count(body, index);
    if (body.kind === "message" && body.role === "assistant" && (head.agent ?? null) === null)
      this.#say(body.text);
    this.#sink({ index, turn: head.turn ?? 1, agent: head.agent ?? null, ...body });
    return index;
  };

  get notes(): readonly string[] {
    return this.#cut
      ? [`the answer is longer than ${MOST_MESSAGE_CHARS} characters; checks read only its beginning`]
      : [];
  }

  #say(text: string): void {
    const room = MOST_MESSAGE_CHARS - this.messages.length;
    if (room > 0) this.messages += (this.messages === "" ? "" : "\n") + text.slice(0, room);
    this.#cut ||= text.length > room;
  }

  #count(body: TranscriptBody, index: number): void {
    switch (body.kind) {
      case "tool-call":
        this.toolCalls[body.tool] = (this.toolCalls[body.tool] ?? 0) + 1;
        this.#calls.set(body.callId, { tool: body.tool, input: body.input });
        break;
      case "tool-result": {
        if (body.isError) this.toolErrors++;
        for (const name of commandsNotFound(body.output.slice(-MOST_RESULT_CHARS))) this.missing.add(name);
        const call = this.#calls.get(body.callId);
        if (body.denied && call !== undefined) this.denials.push(call);
        this.#calls.delete(body.callId);
        break;
      }
      case "skill-activated":
        this.activations.push({ skill: body.skill, by: body.by, event: index });
        break;
      default:
        break;
    }
  }
}

/** Where a shell's complaint is looked for. */
const MOST_RESULT_CHARS = 64 * 1024;

/** More text than any check reads, little enough to hold. */
export const MOST_MESSAGE_CHARS = 4 * 1024 * 1024;
