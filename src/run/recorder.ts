import type { Activation, CutEvidence, Denial } from "../domain/run.ts";
import { TrespassWatch } from "./trespass/watch.ts";
import { storable } from "./storable.ts";
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
  readonly trespasses = new TrespassWatch();
  /** The user's messages. */
  readonly prompts: string[] = [];
  /** The main agent's messages of all turns, joined by newlines, up to a bound; the transcript has them whole. */
  messages = "";
  readonly #calls = new Map<string, Denial>();
  #next = 0;
  #cut = false;
  readonly #sink: (event: TranscriptEvent) => void;

  constructor(sink: (event: TranscriptEvent) => void) {
    this.#sink = sink;
  }

  readonly emit = (said: TranscriptBody, head: { turn?: number; agent?: string | null } = {}): number => {
    const body = said.kind === "tool-call" ? { ...said, input: storable(said.input) } : said;
    const index = this.#next++;
    this.#count(body, index);
    if (body.kind === "message" && (head.agent ?? null) === null) {
      if (body.role === "assistant") this.#say(body.text);
      else this.prompts.push(body.text);
    }
    this.#sink({ index, turn: head.turn ?? 1, agent: head.agent ?? null, ...body });
    return index;
  };

  get cut(): readonly CutEvidence[] {
    const reason = `the answer is longer than ${MOST_MESSAGE_CHARS} characters, and only its beginning is read`;
    return this.#cut ? [{ of: "answer", reason }] : [];
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
        this.trespasses.call(body.input);
        this.#calls.set(body.callId, { tool: body.tool, input: body.input });
        break;
      case "tool-result": {
        if (body.isError) this.toolErrors++;
        const end = body.output.slice(-MOST_RESULT_CHARS);
        for (const name of commandsNotFound(end)) this.missing.add(name);
        this.trespasses.result(end);
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
