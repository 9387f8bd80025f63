import type { Json } from "../../../domain/json.ts";
import type { Denial, Outcome, Usage } from "../../../domain/run.ts";
import {
  listAt,
  type Loose,
  numberOrNull,
  objectAt,
  parseLine,
  textAt,
  textOrNull,
  textsAt,
} from "../../../lib/loose.ts";
import type { HarnessContext } from "../../harness.ts";
import type { Supervised } from "../../process/command.ts";
import type { TurnListener } from "../../turns.ts";
import { plainText } from "../../ending.ts";
import { claudeOutcome } from "./outcome.ts";
import { ToolTrace } from "./tool-trace.ts";
import { usageOf } from "./usage.ts";

export interface ClaudeStreamOptions {
  readonly emit: HarnessContext["emit"];
  readonly turn: number;
  /** The client is ended as soon as it calls this skill. */
  readonly stopOnSkill: string | null;
  /** The skill that the prompt calls by its slash command. */
  readonly invoked: string | null;
}

/** Hears one call of the client. `result` events are judged by `outcome.ts`. */
export class ClaudeStream implements TurnListener {
  sessionId: string | null = null;
  model: string | null = null;
  version: string | null = null;
  /** From the init event; not exactly the model's list, but the best the stream has. */
  skills: readonly string[] | null = null;
  slashCommands: readonly string[] = [];
  readonly results: Loose[] = [];
  /** The main agent's text, for the heuristics. */
  text = "";
  plain = "";
  readonly #responses = new Set<string>();
  readonly #denials = new Map<string, Denial>();
  readonly #tools: ToolTrace;
  readonly #options: ClaudeStreamOptions;

  constructor(options: ClaudeStreamOptions) {
    this.#options = options;
    this.#tools = new ToolTrace(options);
  }

  get steps(): number {
    return this.#responses.size;
  }

  /** A model has answered: up to then, nothing that happens is the skill's doing. */
  get begun(): boolean {
    return this.#responses.size > 0 || this.#options.turn > 1;
  }

  get usage(): Usage {
    return usageOf(this.results);
  }

  /** Each refused call once, however many result events repeat it. */
  get denials(): readonly Denial[] {
    return [...this.#denials.values()];
  }

  get asksUser(): boolean {
    return this.#tools.asksUser;
  }

  get backgroundTasks(): number {
    return this.#tools.backgroundTasks;
  }

  outcome(supervised: Supervised): Outcome {
    return claudeOutcome(this, supervised);
  }

  hear(line: string): "stop" | undefined {
    const event = parseLine(line);
    if (event === null) this.plain = plainText(line) || this.plain;
    switch (event?.["type"]) {
      case "system":
        this.#system(event);
        break;
      case "assistant":
        this.#assistant(event);
        break;
      case "user":
        this.#tools.results(event);
        break;
      case "result":
        this.#result(event);
        break;
      default:
        break;
    }
    return this.#tools.calledStopSkill ? "stop" : undefined;
  }

  #system(event: Loose): void {
    switch (event["subtype"]) {
      case "init":
        this.#init(event);
        break;
      case "permission_denied":
        this.#tools.refused.add(textAt(event, "tool_use_id"));
        break;
      case "api_retry":
        this.#emit({ kind: "error", message: retryText(event) });
        break;
      default:
        break;
    }
  }

  #init(event: Loose): void {
    this.sessionId = textOrNull(event, "session_id") ?? this.sessionId;
    this.model ??= textOrNull(event, "model");
    this.version ??= textOrNull(event, "claude_code_version");
    if (this.skills !== null) return;
    this.skills = textsAt(event, "skills");
    this.slashCommands = textsAt(event, "slash_commands") ?? [];
    const { invoked } = this.#options;
    if (invoked === null || ![...(this.skills ?? []), ...this.slashCommands].includes(invoked)) return;
    this.#emit({ kind: "skill-activated", skill: invoked, by: "invocation" });
  }

  #assistant(event: Loose): void {
    const message = objectAt(event, "message");
    const agent = textOrNull(event, "parent_tool_use_id");
    if (isSynthetic(event)) {
      for (const block of listAt(message, "content"))
        this.#emit({ kind: "error", message: textAt(block, "text") }, agent);
      return;
    }
    this.#responses.add(textAt(message, "id"));
    for (const block of listAt(message, "content")) this.#block(block, agent);
  }

  #block(block: unknown, agent: string | null): void {
    switch (objectAt(block)["type"]) {
      case "text": {
        const text = textAt(block, "text");
        if (agent === null) this.text += `${text}\n`;
        this.#emit({ kind: "message", role: "assistant", text }, agent);
        break;
      }
      case "thinking":
        this.#emit({ kind: "thinking", text: textAt(block, "thinking") }, agent);
        break;
      case "tool_use":
        this.#tools.call(block, agent);
        break;
      default:
        break;
    }
  }

  #result(event: Loose): void {
    this.results.push(event);
    for (const denial of listAt(event, "permission_denials")) {
      this.#denials.set(textAt(denial, "tool_use_id") || `denial ${this.#denials.size}`, {
        tool: textAt(denial, "tool_name"),
        input: (objectAt(denial)["tool_input"] ?? null) as Json,
      });
    }
  }

  #emit(body: Parameters<HarnessContext["emit"]>[0], agent: string | null = null): void {
    this.#options.emit(body, { turn: this.#options.turn, agent });
  }
}

/** Words of the client itself, such as its account of a failed request: no model said them. */
function isSynthetic(event: Loose): boolean {
  return objectAt(event, "message")["model"] === "<synthetic>" || textOrNull(event, "error") !== null;
}

function retryText(event: Loose): string {
  const status = numberOrNull(event, "error_status");
  const reason = textAt(event, "error") || "unknown";
  return `the client repeats a request that failed: ${reason}${status === null ? "" : ` (${status})`}`;
}
