import type { Json } from "../../domain/json.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import { type Loose, parseLine } from "../../lib/loose.ts";
import { plainText } from "../ending.ts";
import type { HarnessContext } from "../harness.ts";
import type { Supervised } from "../process/command.ts";
import { type TakenUp, takenUpBy } from "../taken-up.ts";
import type { TurnListener } from "../turns.ts";
import { type ClientFailure, streamOutcome } from "./outcome.ts";

export interface ClientStreamOptions {
  /** The client, for messages. */
  readonly name: string;
  readonly emit: HarnessContext["emit"];
  readonly turn: number;
  /** The client is ended as soon as it takes up this skill. */
  readonly stopOnSkill: string | null;
  /** The skill that the prompt calls by name. */
  readonly invoked: string | null;
  /** Tells the stream what one event of the client means. */
  readonly read: (event: Loose, stream: ClientStream) => void;
}

/** Hears one call of a client that prints an event per line. The client's adapter reads the events, and tells them here. */
export class ClientStream implements TurnListener {
  sessionId: string | null = null;
  model: string | null = null;
  version: string | null = null;
  skills: readonly string[] | null = null;
  steps = 0;
  usage: Usage = UNKNOWN_USAGE;
  /** A model has answered: up to then, nothing that happens is the skill's doing. */
  begun: boolean;
  /** The client said that it is done. */
  completed = false;
  failure: ClientFailure | null = null;
  /** The last trouble that the client hoped to get over; null: there was none. */
  trouble: string | null = null;
  /** The last line that is no event; "": there was none. */
  plain = "";
  /** The helper agent that the event at hand is from; null: the main one. */
  agent: string | null = null;
  #words = "";
  #answering = false;
  #tookStopSkill = false;
  readonly #calls = new Map<string, { readonly tool: string; readonly takesUp: readonly TakenUp[] }>();
  readonly #options: ClientStreamOptions;

  constructor(options: ClientStreamOptions) {
    this.#options = options;
    this.begun = options.turn > 1;
  }

  hear(line: string): "stop" | undefined {
    const event = parseLine(line);
    if (event === null) this.plain = plainText(line) || this.plain;
    else this.#options.read(event, this);
    return this.#tookStopSkill ? "stop" : undefined;
  }

  outcome(supervised: Supervised): Outcome {
    this.#flush();
    return streamOutcome(this, supervised, this.#options.name);
  }

  /** The client names its session and what it works with. */
  opened(said: Partial<Pick<ClientStream, "sessionId" | "model" | "version" | "skills">>): void {
    const isFirst = this.sessionId === null;
    this.sessionId = said.sessionId ?? this.sessionId;
    this.model = said.model ?? this.model;
    this.version = said.version ?? this.version;
    this.skills = said.skills ?? this.skills;
    const { invoked } = this.#options;
    if (isFirst && invoked !== null)
      this.#emit({ kind: "skill-activated", skill: invoked, by: "invocation" });
  }

  /** A piece of an answer; it is one message with the pieces around it. */
  piece(text: string): void {
    this.#words += text;
  }

  /** A whole answer, or the end of one that came in pieces. */
  text(text = ""): void {
    this.#words += text;
    this.#flush();
  }

  thinking(text: string): void {
    this.#flush();
    this.#answers();
    if (text !== "") this.#emit({ kind: "thinking", text });
  }

  call(callId: string, tool: string, input: Json): void {
    if (this.#calls.has(callId)) return;
    this.#flush();
    this.#answers();
    const takesUp = takenUpBy(tool, input);
    this.#calls.set(callId, { tool, takesUp });
    this.#emit({ kind: "tool-call", callId, tool, input });
    const { stopOnSkill } = this.#options;
    if (stopOnSkill === null || !takesUp.some(({ skill }) => skill === stopOnSkill)) return;
    // The answer would come too late: the client asks the model again at once.
    this.#tookStopSkill = true;
    this.#takeUp(takesUp);
  }

  result(callId: string, output: string, { isError = false, denied = false } = {}): void {
    this.#answering = false;
    const call = this.#calls.get(callId);
    this.#emit({ kind: "tool-result", callId, tool: call?.tool ?? null, output, isError, denied });
    if (!isError && !this.#tookStopSkill) this.#takeUp(call?.takesUp ?? []);
  }

  /** Tokens beside those already told. */
  used(usage: Partial<Usage>): void {
    this.usage = addUsage(this.usage, { ...UNKNOWN_USAGE, ...usage });
  }

  /** What the client may still get over. */
  warn(message: string): void {
    this.#flush();
    this.trouble = message;
    this.#emit({ kind: "error", message });
  }

  fail(message: string, status: number | null = null): void {
    this.#flush();
    this.failure = { message, status };
    this.#emit({ kind: "error", message });
  }

  #flush(): void {
    const text = this.#words;
    this.#words = "";
    if (text.trim() === "") return;
    this.#answers();
    this.#emit({ kind: "message", role: "assistant", text });
  }

  /** Whatever a model says between two results is one response. */
  #answers(): void {
    this.begun = true;
    if (!this.#answering) this.steps++;
    this.#answering = true;
  }

  #takeUp(skills: readonly TakenUp[]): void {
    for (const { skill, by } of skills) this.#emit({ kind: "skill-activated", skill, by });
  }

  #emit(body: Parameters<HarnessContext["emit"]>[0]): void {
    this.#options.emit(body, { turn: this.#options.turn, agent: this.agent });
  }
}
