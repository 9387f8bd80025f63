import type { Json, JsonObject } from "../../domain/json.ts";
import { type WireAnswer, type AnswerPart, pieces, type AnswerStop } from "../answer.ts";
import type { Ask, AskEntry, Structured } from "../ask.ts";
import { header } from "../header.ts";
import { contentText, listAt, objectAt, textAt } from "../loose.ts";
import { offeredTool } from "../offered-tool.ts";
import type { SimView, StreamEvent } from "../sim.ts";
import { STRUCTURED_OUTPUT } from "./structured-output.ts";

/** Anthropic Messages. */
export const messagesSim: SimView = {
  read(body, { headers, bytes }): Ask {
    const sent = listAt(body, "messages");
    const systemTexts = sent.filter((message) => textAt(message, "role") === "system");
    return {
      model: textAt(body, "model"),
      stream: body["stream"] === true,
      conversation: header(headers, "x-claude-code-agent-id") ?? header(headers, "x-claude-code-session-id"),
      subagent: header(headers, "x-claude-code-agent-id") !== null,
      system: [body["system"], ...systemTexts.map((message) => objectAt(message)["content"])]
        .map(contentText)
        .filter((text) => text !== "")
        .join("\n\n"),
      entries: sent.flatMap(toEntries),
      tools: listAt(body, "tools").map(offeredTool),
      structured: structured(body),
      streamUsage: true,
      bytes,
    };
  },
  body(answer) {
    return {
      ...head(answer),
      content: answer.parts.map(block),
      stop_reason: STOP_REASON[answer.stop],
      usage: usage(answer),
    };
  },
  events(answer) {
    const start = {
      ...head(answer),
      content: [],
      stop_reason: null,
      usage: { ...usage(answer), output_tokens: 1 },
    };
    return [
      typed({ type: "message_start", message: start }),
      typed({ type: "ping" }),
      ...answer.parts.flatMap(blockEvents),
      typed({
        type: "message_delta",
        delta: { stop_reason: STOP_REASON[answer.stop], stop_sequence: null },
        usage: usage(answer),
      }),
      typed({ type: "message_stop" }),
    ];
  },
  errorEvent: (type, message) => ({ event: "error", data: { type: "error", error: { type, message } } }),
};

function toEntries(message: Json): readonly AskEntry[] {
  const role = textAt(message, "role");
  const content = objectAt(message)["content"];
  if (role === "system") return [];
  if (typeof content === "string")
    return [{ kind: role === "assistant" ? "assistant" : "user", text: content }];
  const entries = listAt(content).flatMap((part): readonly AskEntry[] => {
    switch (textAt(part, "type")) {
      case "text":
        return [{ kind: role === "assistant" ? "assistant" : "user", text: textAt(part, "text") }];
      case "tool_use":
        return [{ kind: "call", id: textAt(part, "id"), tool: textAt(part, "name") }];
      case "tool_result":
        return [
          {
            kind: "result",
            callId: textAt(part, "tool_use_id"),
            text: contentText(objectAt(part)["content"]),
            isError: objectAt(part)["is_error"] === true,
          },
        ];
      default:
        return [];
    }
  });
  if (role === "assistant") return entries.length > 0 ? entries : [{ kind: "assistant", text: "" }];
  // Results first: text beside them is the client's, whatever order it was sent in.
  return [
    ...entries.filter((entry) => entry.kind === "result"),
    ...entries.filter((entry) => entry.kind !== "result"),
  ];
}

function structured(body: JsonObject): Structured {
  const choice = objectAt(body, "tool_choice");
  if (choice["type"] === "tool") return { via: "tool", tool: textAt(choice, "name") };
  const format = objectAt(objectAt(body, "output_config"), "format");
  if (format["type"] === "json_schema" || objectAt(body, "output_format")["type"] === "json_schema")
    return { via: "text" };
  const forced = listAt(body, "tools").some((tool) => textAt(tool, "name") === STRUCTURED_OUTPUT);
  return forced ? { via: "tool", tool: STRUCTURED_OUTPUT } : { via: "none" };
}

const STOP_REASON: Readonly<Record<AnswerStop, string>> = {
  end: "end_turn",
  tool: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
};

function head(answer: WireAnswer): JsonObject {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    stop_sequence: null,
  };
}

function usage({ tokens }: WireAnswer): JsonObject {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output + tokens.reasoning,
  };
}

/** Not a real signature; clients send it back untouched. */
const SIGNATURE = "c2ltdWxhdGVk";

function block(part: AnswerPart): JsonObject {
  switch (part.kind) {
    case "thinking":
      return { type: "thinking", thinking: part.text, signature: SIGNATURE };
    case "call":
      return { type: "tool_use", id: `toolu_${part.id}`, name: part.name, input: part.input };
    default:
      return { type: "text", text: part.text };
  }
}

function blockEvents(part: AnswerPart, index: number): readonly StreamEvent[] {
  const start = (content_block: JsonObject): StreamEvent =>
    typed({ type: "content_block_start", index, content_block });
  const delta = (delta: JsonObject): StreamEvent => typed({ type: "content_block_delta", index, delta });
  const stop = typed({ type: "content_block_stop", index });
  switch (part.kind) {
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...pieces(part.text).map((thinking) => delta({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: SIGNATURE }),
        stop,
      ];
    case "call":
      return [
        start({ type: "tool_use", id: `toolu_${part.id}`, name: part.name, input: {} }),
        ...pieces(JSON.stringify(part.input)).map((partial_json) =>
          delta({ type: "input_json_delta", partial_json }),
        ),
        stop,
      ];
    default:
      return [
        start({ type: "text", text: "" }),
        ...pieces(part.text).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
  }
}

function typed(data: JsonObject): StreamEvent {
  return { event: textAt(data, "type"), data };
}
