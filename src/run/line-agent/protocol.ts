import { leftOut } from "../../domain/left-out.ts";
import type { Outcome, Usage } from "../../domain/run.ts";
import { parseJson } from "../../lib/document/json.ts";
import { object, optional, required } from "../../lib/shape/object.ts";
import { INVALID, ROOT, type Shape, type ShapeOutput } from "../../lib/shape/shape.ts";
import { anything, bool, int, list, number, oneOf, text } from "../../lib/shape/values.ts";

/**
 * What a program may say about itself, one JSON object per line of standard output. A line that is none of these is
 * something the agent says, so a program that only prints its answer needs to know nothing of this.
 */
const LINES = {
  session: line({
    id: optional(text()),
    model: optional(text()),
    version: optional(text()),
    skills: optional(list(text())),
  }),
  text: line({ text: required(text({ blank: "allowed" })) }),
  thinking: line({ text: required(text({ blank: "allowed" })) }),
  tool_call: line({ id: required(text()), name: required(text()), input: optional(anything(), {}) }),
  tool_result: line({
    id: required(text()),
    output: optional(text({ blank: "allowed" }), ""),
    is_error: optional(bool(), false),
    denied: optional(bool(), false),
  }),
  skill: line({
    name: required(text()),
    by: optional(oneOf(["tool", "read", "invocation", "client"]), "client" as const),
  }),
  usage: line({
    input_tokens: optional(int({ min: 0 })),
    output_tokens: optional(int({ min: 0 })),
    cache_read_tokens: optional(int({ min: 0 })),
    cache_write_tokens: optional(int({ min: 0 })),
    reasoning_tokens: optional(int({ min: 0 })),
    cost_usd: optional(number({ min: 0 })),
  }),
  failed: line({
    reason: required(oneOf(["auth", "rate-limit", "api", "network", "budget", "max-turns", "crashed"])),
    message: optional(text({ blank: "allowed" }), ""),
    status: optional(int({ min: 100 })),
  }),
} as const;

export type AgentLine = {
  [K in keyof typeof LINES]: { readonly type: K } & ShapeOutput<(typeof LINES)[K]>;
}[keyof typeof LINES];

function line<F extends Parameters<typeof object>[0]>(fields: F): ReturnType<typeof object<F>> {
  return object(fields, { unknownKeys: "allowed" });
}

/** The line's meaning; null means it is plain text. */
export function readAgentLine(written: string): AgentLine | null {
  if (!written.startsWith("{")) return null;
  const parsed = parseJson(written);
  if (!parsed.ok || parsed.root.kind !== "object") return null;
  const type = parsed.root.entries.find((entry) => entry.key === "type")?.value;
  if (type?.kind !== "string" || !Object.hasOwn(LINES, type.value)) return null;
  const shape: Shape<object> = LINES[type.value as keyof typeof LINES];
  const value = shape.read(parsed.root, { path: ROOT, report: () => {} });
  return value === INVALID ? null : ({ ...value, type: type.value } as AgentLine);
}

export function toUsage(said: Extract<AgentLine, { type: "usage" }>): Usage {
  return {
    inputTokens: said.input_tokens,
    outputTokens: said.output_tokens,
    cacheReadTokens: said.cache_read_tokens,
    cacheWriteTokens: said.cache_write_tokens,
    reasoningTokens: said.reasoning_tokens,
    costUsd: said.cost_usd,
  };
}

export function toOutcome({ reason, message, status }: Extract<AgentLine, { type: "failed" }>): Outcome {
  return reason === "max-turns" || reason === "crashed"
    ? { status: reason, message }
    : leftOut(reason, message, status);
}
