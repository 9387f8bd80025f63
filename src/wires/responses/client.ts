import type { JsonObject } from "../../domain/json.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { JsonSchema } from "../../lib/shape/shape.ts";
import { argumentsIn, argumentsText } from "../arguments.ts";
import type { ClientView, MessagePart, ModelMessage, ModelRequest, ServiceReply, Stop } from "../client.ts";
import { errorReply } from "../error-reply.ts";
import { namedSchema } from "../strict-schema.ts";
import { unwrappedText } from "../structured.ts";
import { responsesUsage } from "./usage.ts";

/** OpenAI Responses. Nothing is kept at the service. */
export const responsesClient: ClientView = { body, read };

function body({ model, system, messages, tools, schema, maxTokens }: ModelRequest): JsonObject {
  return {
    model,
    store: false,
    max_output_tokens: maxTokens,
    ...(system === null || system === "" ? {} : { instructions: system }),
    input: messages.flatMap(toInput),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: "function",
            name,
            description,
            parameters: input,
            strict: false,
          })),
        }),
    ...(schema === null ? {} : { text: { format: { type: "json_schema", ...namedSchema(schema) } } }),
  };
}

function read(reply: unknown, { schema, model }: ModelRequest): ServiceReply {
  const response = objectAt(reply);
  if (response["error"] !== null && response["error"] !== undefined)
    return errorReply(response["error"], "the service gave an error");
  if (!Array.isArray(response["output"])) return errorReply(null, "the reply is not one of OpenAI Responses");
  const output = listAt(response, "output");
  const parts = output.flatMap(toParts);
  return {
    kind: "answer",
    parts: schema === null ? parts : parts.map((part) => structured(part, schema)),
    stop: stopOf(response, output),
    model: textAt(response, "model") || model,
    usage: responsesUsage(objectAt(response, "usage")),
  };
}

function structured(part: MessagePart, schema: JsonSchema): MessagePart {
  return part.kind === "text" ? { kind: "text", text: unwrappedText(part.text, schema) } : part;
}

function toInput({ role, parts }: ModelMessage): readonly JsonObject[] {
  const said = parts.flatMap((part) => toContent(part, role));
  const others = parts.flatMap(toEntry);
  const message = said.length === 0 ? [] : [{ role, content: said }];
  // The model speaks before it calls; tools answer before the user goes on.
  return role === "assistant" ? [...message, ...others] : [...others, ...message];
}

function toContent(part: MessagePart, role: ModelMessage["role"]): readonly JsonObject[] {
  if (part.kind === "text" && part.text !== "")
    return [{ type: role === "assistant" ? "output_text" : "input_text", text: part.text }];
  if (part.kind === "image")
    return [{ type: "input_image", image_url: `data:${part.mediaType};base64,${part.base64}` }];
  return [];
}

function toEntry(part: MessagePart): readonly JsonObject[] {
  if (part.kind === "tool-call") {
    const { callId, tool, input } = part;
    return [{ type: "function_call", call_id: callId, name: tool, arguments: argumentsText(input) }];
  }
  return part.kind === "tool-result"
    ? [{ type: "function_call_output", call_id: part.callId, output: part.output }]
    : [];
}

function toParts(entry: unknown): readonly MessagePart[] {
  switch (textAt(entry, "type")) {
    case "message":
      return listAt(entry, "content").map((content) => ({
        kind: "text",
        text: textAt(content, "text") || textAt(content, "refusal"),
      }));
    case "reasoning": {
      const text = listAt(entry, "summary")
        .map((summary) => textAt(summary, "text"))
        .join("\n\n");
      return text === "" ? [] : [{ kind: "thinking", text, origin: null }];
    }
    case "function_call":
      return [
        {
          kind: "tool-call",
          callId: textAt(entry, "call_id"),
          tool: textAt(entry, "name"),
          input: argumentsIn(textAt(entry, "arguments")),
        },
      ];
    default:
      return [];
  }
}

function stopOf(response: unknown, output: readonly unknown[]): Stop {
  const refused = output.some((entry) =>
    listAt(entry, "content").some((content) => textAt(content, "type") === "refusal"),
  );
  const cut = textAt(objectAt(response, "incomplete_details"), "reason");
  if (refused || cut === "content_filter") return "refusal";
  if (textAt(response, "status") === "incomplete")
    return cut === "max_output_tokens" ? "max-tokens" : "other";
  return output.some((entry) => textAt(entry, "type") === "function_call") ? "tool-use" : "end";
}
