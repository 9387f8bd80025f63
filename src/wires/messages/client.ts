import type { Json, JsonObject } from "../../domain/json.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { JsonSchema } from "../../lib/shape/shape.ts";
import type { ClientView, MessagePart, ModelMessage, ModelRequest, ServiceReply, Stop } from "../client.ts";
import { errorReply } from "../error-reply.ts";
import { asObjectSchema, unwrapped } from "../structured.ts";
import { messagesUsage } from "./usage.ts";

/** Anthropic Messages. A structured answer is a tool call that the model is made to make. */
export const messagesClient: ClientView = { body, read };

/** The tool a structured answer is given through; the model must call it. */
const ANSWER = "answer";

function body(request: ModelRequest): JsonObject {
  const { model, system, schema, maxTokens } = request;
  // A loop asks with the same beginning again and again; a single question would pay for the cache and never read it.
  const cached = request.tools.length > 0;
  const tools: JsonObject[] = request.tools.map(({ name, description, input }) => ({
    name,
    description,
    input_schema: input,
  }));
  if (schema !== null) tools.push(answerTool(schema));
  return {
    model,
    max_tokens: maxTokens,
    ...(system === null || system === "" ? {} : { system: [marked({ type: "text", text: system }, cached)] }),
    messages: request.messages.map((message, index) =>
      toMessage(message, cached && index === request.messages.length - 1),
    ),
    ...(tools.length === 0 ? {} : { tools }),
    ...(schema === null ? {} : { tool_choice: { type: "tool", name: ANSWER } }),
  };
}

function read(reply: unknown, { schema, model }: ModelRequest): ServiceReply {
  const message = objectAt(reply);
  if (message["type"] === "error") return errorReply(message["error"], "the service gave an error");
  if (!Array.isArray(message["content"]))
    return errorReply(null, "the reply is not one of Anthropic Messages");
  const parts = listAt(message, "content").flatMap(toPart);
  const answer = parts.find((part) => part.kind === "tool-call" && part.tool === ANSWER);
  const given = schema !== null && answer?.kind === "tool-call" ? answer.input : undefined;
  const stop = STOPS[textAt(message, "stop_reason")] ?? "other";
  return {
    kind: "answer",
    parts:
      schema === null || given === undefined ? parts : [{ kind: "text", text: unwrapped(given, schema) }],
    stop: given !== undefined && stop === "tool-use" ? "end" : stop,
    model: textAt(message, "model") || model,
    usage: messagesUsage(objectAt(message, "usage")),
  };
}

const STOPS: Readonly<Record<string, Stop>> = {
  end_turn: "end",
  stop_sequence: "end",
  tool_use: "tool-use",
  max_tokens: "max-tokens",
  model_context_window_exceeded: "max-tokens",
  refusal: "refusal",
};

function answerTool(schema: JsonSchema): JsonObject {
  return { name: ANSWER, description: "Give the answer.", input_schema: asObjectSchema(schema) };
}

function toMessage({ role, parts }: ModelMessage, cached: boolean): JsonObject {
  const blocks = parts.flatMap(toBlock);
  return {
    role,
    content: blocks.map((block, index) => marked(block, cached && index === blocks.length - 1)),
  };
}

function marked(block: JsonObject, cached: boolean): JsonObject {
  return cached ? { ...block, cache_control: { type: "ephemeral" } } : block;
}

function toBlock(part: MessagePart): readonly JsonObject[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "thinking":
      return part.origin === null ? [] : [part.origin as JsonObject];
    case "image":
      return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.base64 } }];
    case "tool-call":
      return [{ type: "tool_use", id: part.callId, name: part.tool, input: inputOf(part.input) }];
    case "tool-result":
      return [
        {
          type: "tool_result",
          tool_use_id: part.callId,
          content: part.output === "" ? "(no output)" : part.output,
          ...(part.isError ? { is_error: true } : {}),
        },
      ];
  }
}

/** Only objects are accepted back. */
function inputOf(input: Json): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as JsonObject) : {};
}

function toPart(block: unknown): readonly MessagePart[] {
  switch (textAt(block, "type")) {
    case "text":
      return [{ kind: "text", text: textAt(block, "text") }];
    case "thinking":
    case "redacted_thinking":
      return [{ kind: "thinking", text: textAt(block, "thinking"), origin: block as Json }];
    case "tool_use":
      return [
        {
          kind: "tool-call",
          callId: textAt(block, "id"),
          tool: textAt(block, "name"),
          input: (objectAt(block)["input"] ?? {}) as Json,
        },
      ];
    default:
      return [];
  }
}
