import type { Json, JsonObject } from "../../domain/json.ts";
import { type WireAnswer, type AnswerPart, pieces, type AnswerStop } from "../answer.ts";
import type { Ask, AskEntry, Structured } from "../ask.ts";
import { header } from "../header.ts";
import { contentText, listAt, objectAt, textAt } from "../loose.ts";
import { offeredTool } from "../offered-tool.ts";
import type { SimView, StreamEvent } from "../sim.ts";

/** OpenAI Chat Completions and everything that calls itself compatible. */
export const chatSim: SimView = {
  read(body, { headers, bytes }): Ask {
    const sent = listAt(body, "messages");
    return {
      model: textAt(body, "model"),
      stream: body["stream"] === true,
      conversation: header(headers, "x-session-affinity") ?? header(headers, "x-session-id"),
      subagent: false,
      system: sent
        .filter((message) => /^(?:system|developer)$/.test(textAt(message, "role")))
        .map((message) => contentText(objectAt(message)["content"]))
        .join("\n\n"),
      entries: sent.flatMap(toEntries),
      tools: listAt(body, "tools").map((tool) => offeredTool(objectAt(tool, "function"))),
      structured: structured(body),
      streamUsage: objectAt(body, "stream_options")["include_usage"] === true,
      bytes,
    };
  },
  body: (answer) => ({
    ...head(answer, "chat.completion"),
    choices: [{ index: 0, message: message(answer), logprobs: null, finish_reason: FINISH[answer.stop] }],
    usage: usage(answer),
  }),
  events(answer, ask): readonly StreamEvent[] {
    const chunk = (delta: JsonObject, finish_reason: string | null = null): StreamEvent => ({
      event: null,
      data: {
        ...head(answer, "chat.completion.chunk"),
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      },
    });
    const calls = answer.parts.filter((part) => part.kind === "call");
    return [
      chunk({ role: "assistant", content: "" }),
      ...answer.parts.flatMap((part) => deltas(part, calls)).map((delta) => chunk(delta)),
      chunk({}, FINISH[answer.stop]),
      ...(ask.streamUsage
        ? [
            {
              event: null,
              data: { ...head(answer, "chat.completion.chunk"), choices: [], usage: usage(answer) },
            },
          ]
        : []),
      { event: null, data: "[DONE]" },
    ];
  },
  errorEvent: (code, message) => ({
    event: null,
    data: { error: { message, type: code, param: null, code } },
  }),
};

function toEntries(message: Json): readonly AskEntry[] {
  const role = textAt(message, "role");
  const text = contentText(objectAt(message)["content"]);
  if (role === "user") return [{ kind: "user", text }];
  if (role === "tool") {
    return [{ kind: "result", callId: textAt(message, "tool_call_id"), text, isError: false }];
  }
  if (role !== "assistant") return [];
  const calls = listAt(message, "tool_calls").map((call): AskEntry => ({
    kind: "call",
    id: textAt(call, "id"),
    tool: textAt(objectAt(call, "function"), "name"),
  }));
  return [{ kind: "assistant", text }, ...calls];
}

function structured(body: JsonObject): Structured {
  const forced = textAt(objectAt(objectAt(body, "tool_choice"), "function"), "name");
  if (forced !== "") return { via: "tool", tool: forced };
  const format = textAt(objectAt(body, "response_format"), "type");
  return format === "json_schema" || format === "json_object" ? { via: "text" } : { via: "none" };
}

const FINISH: Readonly<Record<AnswerStop, string>> = {
  end: "stop",
  tool: "tool_calls",
  length: "length",
  refusal: "content_filter",
};

function head(answer: WireAnswer, object: string): JsonObject {
  return { id: `chatcmpl-${answer.id}`, object, created: answer.createdAt, model: answer.model };
}

function usage({ tokens }: WireAnswer): JsonObject {
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const output = tokens.output + tokens.reasoning;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
  };
}

function message(answer: WireAnswer): JsonObject {
  const joined = (kind: "text" | "thinking" | "refusal"): string | null => {
    const texts = answer.parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
    return texts.length > 0 ? texts.join("") : null;
  };
  const calls = answer.parts.flatMap((part) => (part.kind === "call" ? [toolCall(part)] : []));
  const reasoning = joined("thinking");
  return {
    role: "assistant",
    content: joined("text"),
    refusal: joined("refusal"),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

function toolCall(part: AnswerPart & { kind: "call" }): JsonObject {
  const fn = { name: part.name, arguments: JSON.stringify(part.input) };
  return { id: `call_${part.id}`, type: "function", function: fn };
}

function deltas(part: AnswerPart, calls: readonly AnswerPart[]): readonly JsonObject[] {
  switch (part.kind) {
    case "text":
      return pieces(part.text).map((content) => ({ content }));
    case "thinking":
      return pieces(part.text).map((reasoning_content) => ({ reasoning_content }));
    case "refusal":
      return pieces(part.text).map((refusal) => ({ refusal }));
    case "call": {
      const index = calls.indexOf(part);
      const opening = {
        index,
        id: `call_${part.id}`,
        type: "function",
        function: { name: part.name, arguments: "" },
      };
      const rest = pieces(JSON.stringify(part.input));
      return [opening, ...rest.map((piece) => ({ index, function: { arguments: piece } }))].map((call) => ({
        tool_calls: [call],
      }));
    }
  }
}
