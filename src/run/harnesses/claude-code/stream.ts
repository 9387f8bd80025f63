import type { Json } from "../../../domain/json.ts";
import type { Denial } from "../../../domain/run.ts";
import {
  contentText,
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
import { skillReadBy } from "../../skill-reads.ts";

/** What one call of the client said, event by event; `result` events are read by `outcome.ts`. */
export class ClaudeStream {
  sessionId: string | null = null;
  model: string | null = null;
  version: string | null = null;
  /** From the init event; not exactly the model's list, but the best the stream has. */
  skills: readonly string[] | null = null;
  slashCommands: readonly string[] = [];
  readonly results: Loose[] = [];
  readonly denials: Denial[] = [];
  /** The main agent's text, for the heuristics. */
  text = "";
  asksUser = false;
  backgroundTasks = 0;
  readonly #messages = new Set<string>();
  readonly #tools = new Map<string, { tool: string; input: Json }>();
  readonly #activated = new Set<string>();
  readonly #emit: HarnessContext["emit"];
  readonly #turn: number;

  constructor(emit: HarnessContext["emit"], turn: number) {
    this.#emit = emit;
    this.#turn = turn;
  }

  /** Model responses seen so far. */
  get steps(): number {
    return this.#messages.size;
  }

  hasActivated(skill: string): boolean {
    return this.#activated.has(skill);
  }

  hear(line: string): void {
    const event = parseLine(line);
    if (event === null) return;
    switch (event["type"]) {
      case "system":
        if (event["subtype"] === "init") this.#init(event);
        break;
      case "assistant":
        this.#assistant(event);
        break;
      case "user":
        this.#toolResults(event);
        break;
      case "result":
        this.#result(event);
        break;
      default:
        break;
    }
  }

  #init(event: Loose): void {
    this.sessionId = textOrNull(event, "session_id") ?? this.sessionId;
    this.model ??= textOrNull(event, "model");
    this.version ??= textOrNull(event, "claude_code_version");
    this.skills ??= textsAt(event, "skills");
    this.slashCommands = textsAt(event, "slash_commands") ?? this.slashCommands;
  }

  #assistant(event: Loose): void {
    const message = objectAt(event, "message");
    const agent = textOrNull(event, "parent_tool_use_id");
    this.#messages.add(textAt(message, "id"));
    for (const block of listAt(message, "content")) this.#block(block, agent);
  }

  #block(block: unknown, agent: string | null): void {
    const head = { turn: this.#turn, agent };
    switch (objectAt(block)["type"]) {
      case "text": {
        const text = textAt(block, "text");
        if (agent === null) this.text += `${text}\n`;
        this.#emit({ kind: "message", role: "assistant", text }, head);
        break;
      }
      case "thinking":
        this.#emit({ kind: "thinking", text: textAt(block, "thinking") }, head);
        break;
      case "tool_use":
        this.#toolUse(block, agent);
        break;
      default:
        break;
    }
  }

  #toolUse(block: unknown, agent: string | null): void {
    const callId = textAt(block, "id");
    const tool = textAt(block, "name");
    const input = (objectAt(block)["input"] ?? {}) as Json;
    this.#tools.set(callId, { tool, input });
    const head = { turn: this.#turn, agent };
    this.#emit({ kind: "tool-call", callId, tool, input }, head);
    if (tool === "AskUserQuestion") this.asksUser = true;
    if (objectAt(input)["run_in_background"] === true && tool === "Task") this.backgroundTasks++;
    const activation = activationBy(tool, input);
    if (activation !== null) {
      this.#activated.add(activation.skill);
      this.#emit({ kind: "skill-activated", ...activation }, head);
    }
  }

  #toolResults(event: Loose): void {
    const agent = textOrNull(event, "parent_tool_use_id");
    const denied = new Set(
      listAt(event, "tool_result_meta")
        .filter((meta) => objectAt(meta, "permission_decision")["decision"] === "deny")
        .map((meta) => textAt(meta, "id")),
    );
    for (const block of listAt(objectAt(event, "message"), "content")) {
      if (objectAt(block)["type"] !== "tool_result") continue;
      const callId = textAt(block, "tool_use_id");
      this.#emit(
        {
          kind: "tool-result",
          callId,
          tool: this.#tools.get(callId)?.tool ?? null,
          output: contentText(objectAt(block)["content"]),
          isError: objectAt(block)["is_error"] === true,
          denied: denied.has(callId),
        },
        { turn: this.#turn, agent },
      );
    }
  }

  #result(event: Loose): void {
    this.results.push(event);
    for (const denial of listAt(event, "permission_denials")) {
      this.denials.push({
        tool: textAt(denial, "tool_name"),
        input: (objectAt(denial)["tool_input"] ?? null) as Json,
      });
    }
  }
}

/** Cost and tokens over the result events of one call: cost is cumulative, the rest is per result. */
export function usageOf(results: readonly Loose[]): {
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: null;
  costUsd: number | null;
} {
  const last = results.at(-1);
  return {
    inputTokens: total(results, "input_tokens"),
    outputTokens: total(results, "output_tokens"),
    cacheReadTokens: total(results, "cache_read_input_tokens"),
    cacheWriteTokens: total(results, "cache_creation_input_tokens"),
    reasoningTokens: null,
    costUsd: last === undefined ? null : numberOrNull(last, "total_cost_usd"),
  };
}

function total(results: readonly Loose[], key: string): number | null {
  const known = results
    .map((result) => numberOrNull(objectAt(result, "usage"), key))
    .filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function activationBy(tool: string, input: Json): { skill: string; by: "tool" | "read" } | null {
  if (tool === "Skill") {
    const named = textAt(input, "skill") || textAt(input, "command");
    return named === "" ? null : { skill: named.replace(/^\//, ""), by: "tool" };
  }
  const read = tool === "Read" || tool === "Bash" ? skillReadBy(input) : null;
  return read === null ? null : { skill: read, by: "read" };
}
