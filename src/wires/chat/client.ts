import type { Json, JsonObject } from "../../domain/json.ts";
import { contentText, listAt, objectAt, textAt } from "../../lib/loose.ts";
import { argumentsIn, argumentsText } from "../arguments.ts";
import type { ClientView, MessagePart, ModelMessage, ModelRequest, ServiceReply, Stop } from "../client.ts";
import { errorReply } from "../error-reply.ts";
import { namedSchema } from "../strict-schema.ts";
import { unwrappedText } from "../structured.ts";
import { chatUsage } from "./usage.ts";

/** Chat Completions, in the words that every compatible server knows. */
export const chatClient: ClientView = { body, read };

function body({ model, system, messages, tools, schema, maxTokens }: ModelRequest): JsonObject {
  return {
    model,
    max_tokens: maxTokens,
    messages: [
      ...(system === null || system === "" ? [] : [{ role: "system", content: system }]),
      ...messages.flatMap(toMessages),
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: "function",
            function: { name, description, parameters: input },
          })),
        }),
    ...(schema === null
      ? {}
      : { response_format: { type: "json_schema", json_schema: namedSchema(schema) } }),
  };
}

function read(sent: unknown, { schema, model }: ModelRequest): ServiceReply {
  const reply = objectAt(sent);
  const [choice] = listAt(reply, "choices");
  if (choice === undefined) {
    const error = reply["error"];
    return errorReply(error, typeof error === "string" ? error : "the reply is not one of Chat Completions");
  }
  const message = objectAt(choice, "message");
  const text = contentText(message["content"]) || textAt(message, "refusal");
  const thinking = textAt(message, "reasoning_content") || textAt(message, "reasoning");
  const calls = listAt(message, "tool_calls").map(toCall);
  return {
    kind: "answer",
    parts: [
      ...(thinking === "" ? [] : [{ kind: "thinking", text: thinking, origin: null } as const]),
      ...(text === ""
        ? []
        : [{ kind: "text", text: schema === null ? text : unwrappedText(text, schema) } as const]),
      ...calls,
    ],
    stop: stopOf(choice, calls.length > 0),
    model: textAt(reply, "model") || model,
    usage: chatUsage(objectAt(reply, "usage")),
  };
}

function toMessages({ role, parts }: ModelMessage): readonly JsonObject[] {
  const results = parts.flatMap((part) =>
    part.kind === "tool-result" ? [{ role: "tool", tool_call_id: part.callId, content: part.output }] : [],
  );
  const content = contentOf(parts);
  const calls = parts.flatMap((part) => (part.kind === "tool-call" ? [fromCall(part)] : []));
  if (role === "user") return [...results, ...(content === null ? [] : [{ role, content }])];
  return [{ role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}

/** Plain text as a string, which every server takes; a list only where there is an image. */
function contentOf(parts: readonly MessagePart[]): string | readonly JsonObject[] | null {
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  if (!parts.some((part) => part.kind === "image")) return texts.length === 0 ? null : texts.join("\n\n");
  return parts.flatMap((part): readonly JsonObject[] => {
    if (part.kind === "text") return [{ type: "text", text: part.text }];
    if (part.kind !== "image") return [];
    return [{ type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.base64}` } }];
  });
}

function fromCall({ callId, tool, input }: MessagePart & { kind: "tool-call" }): JsonObject {
  return { id: callId, type: "function", function: { name: tool, arguments: argumentsText(input) } };
}

/** Some local servers give no ids, and some give the arguments as an object. */
function toCall(call: unknown, index: number): MessagePart {
  const called = objectAt(call, "function");
  const given = (called["arguments"] ?? {}) as Json;
  return {
    kind: "tool-call",
    callId: textAt(call, "id") || `call_${index}`,
    tool: textAt(called, "name"),
    input: argumentsIn(argumentsText(given)),
  };
}

function stopOf(choice: unknown, called: boolean): Stop {
  const reason = textAt(choice, "finish_reason");
  if (textAt(objectAt(choice, "message"), "refusal") !== "" || reason === "content_filter") return "refusal";
  if (reason === "length") return "max-tokens";
  if (called) return "tool-use";
  return reason === "stop" || reason === "" ? "end" : "other";
}
