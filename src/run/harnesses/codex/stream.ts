import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../../domain/run.ts";
import { type Loose, objectAt, parseLine, textAt, textOrNull } from "../../../lib/loose.ts";
import type { HarnessContext } from "../../harness.ts";
import type { Supervised } from "../../process/command.ts";
import { skillsReadBy } from "../../skill-reads.ts";
import type { TurnListener } from "../../turns.ts";
import { plainText } from "../../ending.ts";
import { codexOutcome } from "./outcome.ts";
import { type ToolUse, toolUseOf } from "./tool-use.ts";
import { addedUsage, usageOf } from "./usage.ts";

export interface CodexStreamOptions {
  readonly emit: HarnessContext["emit"];
  readonly turn: number;
  /** The client is ended as soon as it reads this skill. */
  readonly stopOnSkill: string | null;
  /** The skill that the prompt calls by name; the client itself never says so. */
  readonly invoked: string | null;
  /** What the thread had used before this call. */
  readonly threadUsage: Usage | null;
}

/** Hears one call of the client. Only `turn.failed` is a failure; `error` events may be passing troubles. */
export class CodexStream implements TurnListener {
  sessionId: string | null = null;
  steps = 0;
  failure: string | null = null;
  completed = false;
  begun: boolean;
  trouble: string | null = null;
  plain = "";
  /** Of the whole thread, as the client counts; null when it has never said. */
  threadUsage: Usage | null;
  #usage: Usage = UNKNOWN_USAGE;
  #calledStopSkill = false;
  readonly #started = new Map<string, readonly string[]>();
  readonly #options: CodexStreamOptions;

  constructor(options: CodexStreamOptions) {
    this.#options = options;
    this.threadUsage = options.threadUsage;
    this.begun = options.turn > 1;
  }

  get usage(): Usage {
    return this.#usage;
  }

  outcome(supervised: Supervised): Outcome {
    return codexOutcome(this, supervised);
  }

  hear(line: string): "stop" | undefined {
    const event = parseLine(line);
    if (event === null) this.plain = plainText(line) || this.plain;
    else this.#event(event);
    return this.#calledStopSkill ? "stop" : undefined;
  }

  #event(event: Loose): void {
    switch (event["type"]) {
      case "thread.started":
        this.sessionId = textOrNull(event, "thread_id");
        break;
      case "turn.started":
        if (this.#options.invoked !== null)
          this.#say({ kind: "skill-activated", skill: this.#options.invoked, by: "invocation" });
        break;
      case "item.started":
        this.#began(objectAt(event, "item"));
        break;
      case "item.completed":
        this.#finished(objectAt(event, "item"));
        break;
      case "turn.completed":
        this.completed = true;
        this.begun = true;
        this.#count(usageOf(objectAt(event, "usage")));
        break;
      case "turn.failed":
        this.failure = textAt(objectAt(event, "error"), "message") || "the turn failed without a message";
        this.#say({ kind: "error", message: this.failure });
        break;
      case "error":
        this.trouble = textAt(event, "message");
        this.#say({ kind: "error", message: this.trouble });
        break;
      default:
        break;
    }
  }

  #count(thread: Usage): void {
    this.#usage = addedUsage(thread, this.#options.threadUsage);
    this.threadUsage = thread;
  }

  #began(part: Loose): void {
    const use = toolUseOf(part);
    this.begun ||= use !== null;
    if (use !== null) this.#call(textAt(part, "id"), use);
  }

  #finished(part: Loose): void {
    this.begun ||= part["type"] !== "error";
    switch (part["type"]) {
      case "agent_message":
        this.steps++;
        this.#say({ kind: "message", role: "assistant", text: textAt(part, "text") });
        return;
      case "reasoning":
        this.#say({ kind: "thinking", text: textAt(part, "text") });
        return;
      case "error":
        this.#say({ kind: "error", message: textAt(part, "message") });
        return;
      default:
        break;
    }
    const use = toolUseOf(part);
    if (use !== null) this.#answer(textAt(part, "id"), use);
  }

  #call(callId: string, { tool, input }: ToolUse): void {
    const skills = tool === "shell" ? skillsReadBy(input) : [];
    this.#started.set(callId, skills);
    this.steps++;
    this.#say({ kind: "tool-call", callId: this.#callId(callId), tool, input });
    const { stopOnSkill } = this.#options;
    if (stopOnSkill === null || !skills.includes(stopOnSkill)) return;
    this.#calledStopSkill = true;
    this.#takeUp(skills);
  }

  #answer(callId: string, use: ToolUse): void {
    if (!this.#started.has(callId)) this.#call(callId, use);
    this.#say({ kind: "tool-result", callId: this.#callId(callId), tool: use.tool, ...use.answer });
    if (!use.answer.isError && !this.#calledStopSkill) this.#takeUp(this.#started.get(callId) ?? []);
  }

  #takeUp(skills: readonly string[]): void {
    for (const skill of skills) this.#say({ kind: "skill-activated", skill, by: "read" });
  }

  /** The client counts its calls anew in each turn. */
  #callId(id: string): string {
    return `turn_${this.#options.turn}_${id}`;
  }

  #say(body: Parameters<HarnessContext["emit"]>[0]): void {
    this.#options.emit(body, { turn: this.#options.turn });
  }
}
