import type { Json } from "../../../domain/json.ts";
import type { LeftOutStatus, Outcome, Usage } from "../../../domain/run.ts";
import {
  listAt,
  type Loose,
  numberOrNull,
  objectAt,
  parseLine,
  textAt,
  textOrNull,
} from "../../../lib/loose.ts";
import { exitText, forcedOutcome } from "../../ending.ts";
import type { HarnessContext } from "../../harness.ts";
import type { Supervised } from "../../process/command.ts";
import { skillReadBy } from "../../skill-reads.ts";

/** What one call of the client said. Only `turn.failed` is a failure; `error` events may be passing troubles. */
export class CodexStream {
  threadId: string | null = null;
  steps = 0;
  usage: Usage | null = null;
  failure: string | null = null;
  completed = false;
  readonly #activated = new Set<string>();
  readonly #started = new Set<string>();
  readonly #emit: HarnessContext["emit"];
  readonly #turn: number;

  constructor(emit: HarnessContext["emit"], turn: number) {
    this.#emit = emit;
    this.#turn = turn;
  }

  hasActivated(skill: string): boolean {
    return this.#activated.has(skill);
  }

  hear(line: string): void {
    const event = parseLine(line);
    if (event === null) return;
    switch (event["type"]) {
      case "thread.started":
        this.threadId = textOrNull(event, "thread_id");
        break;
      case "item.started":
        this.#start(objectAt(event, "item"));
        break;
      case "item.completed":
        this.#completed(objectAt(event, "item"));
        break;
      case "turn.completed":
        this.completed = true;
        this.usage = usageOf(objectAt(event, "usage"));
        break;
      case "turn.failed":
        this.failure = textAt(objectAt(event, "error"), "message") || "the turn failed without a message";
        this.#say({ kind: "error", message: this.failure });
        break;
      case "error":
        this.#say({ kind: "error", message: textAt(event, "message") });
        break;
      default:
        break;
    }
  }

  #start(part: Loose): void {
    const call = toolCallOf(part);
    if (call === null) return;
    const callId = textAt(part, "id");
    this.#started.add(callId);
    this.steps++;
    this.#say({ kind: "tool-call", callId, tool: call.tool, input: call.input });
    const skill = call.tool === "shell" ? skillReadBy(call.input) : null;
    if (skill === null) return;
    this.#activated.add(skill);
    this.#say({ kind: "skill-activated", skill, by: "read" });
  }

  #completed(part: Loose): void {
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
    const call = toolCallOf(part);
    if (call === null) return;
    const callId = textAt(part, "id");
    if (!this.#started.has(callId)) this.#start(part);
    this.#say({ kind: "tool-result", callId, tool: call.tool, ...call.result });
  }

  #say(body: Parameters<HarnessContext["emit"]>[0]): void {
    this.#emit(body, { turn: this.#turn });
  }
}

interface ToolCall {
  readonly tool: string;
  readonly input: Json;
  readonly result: { readonly output: string; readonly isError: boolean; readonly denied: boolean };
}

function toolCallOf(part: Loose): ToolCall | null {
  const declined = part["status"] === "declined";
  const failed = part["status"] === "failed" || declined;
  switch (part["type"]) {
    case "command_execution": {
      const exitCode = numberOrNull(part, "exit_code");
      return {
        tool: "shell",
        input: { command: textAt(part, "command") },
        result: {
          output: textAt(part, "aggregated_output"),
          isError: failed || (exitCode !== null && exitCode !== 0),
          denied: declined,
        },
      };
    }
    case "file_change":
      return {
        tool: "apply_patch",
        input: { changes: listAt(part, "changes") as readonly Json[] },
        result: { output: textAt(part, "status"), isError: failed, denied: declined },
      };
    case "mcp_tool_call":
      return {
        tool: `mcp__${textAt(part, "server")}__${textAt(part, "tool")}`,
        input: (part["arguments"] ?? {}) as Json,
        result: {
          output: JSON.stringify(part["result"] ?? part["error"] ?? ""),
          isError: failed,
          denied: declined,
        },
      };
    case "web_search":
      return {
        tool: "web_search",
        input: { query: textAt(part, "query") },
        result: { output: "", isError: failed, denied: declined },
      };
    default:
      return null;
  }
}

function usageOf(usage: Loose): Usage {
  const input = numberOrNull(usage, "input_tokens");
  const cached = numberOrNull(usage, "cached_input_tokens");
  return {
    inputTokens: input === null ? null : Math.max(0, input - (cached ?? 0)),
    outputTokens: numberOrNull(usage, "output_tokens"),
    cacheReadTokens: cached,
    cacheWriteTokens: numberOrNull(usage, "cache_write_input_tokens"),
    reasoningTokens: numberOrNull(usage, "reasoning_output_tokens"),
    costUsd: null,
  };
}

export function codexOutcome(stream: CodexStream, supervised: Supervised): Outcome {
  const forced = forcedOutcome(supervised);
  if (forced !== null) return forced;
  const { ending, stderrTail } = supervised;
  if (stream.failure !== null) {
    const reason = serviceFailure(stream.failure);
    return reason === null
      ? { status: "crashed", message: stream.failure }
      : { status: reason, message: stream.failure };
  }
  if (stream.completed || ending.kind === "stopped") return { status: "completed" };
  const how = ending.kind === "exited" ? exitText(ending) : ending.kind;
  return { status: "crashed", message: `codex ${how} before its turn was complete: ${stderrTail.trim()}` };
}

function serviceFailure(message: string): LeftOutStatus | null {
  if (/\b40[13]\b|unauthori[sz]ed|api key|missing environment variable/i.test(message)) return "auth";
  if (/\b429\b|rate.?limit|quota|usage limit/i.test(message)) return "rate-limit";
  if (/stream disconnected|connection|network|dns|timed? ?out/i.test(message)) return "network";
  if (/\b[45]\d\d\b|high demand|bad request|"error"/i.test(message)) return "api";
  return null;
}
