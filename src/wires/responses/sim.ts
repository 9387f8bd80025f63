import type { Json, JsonObject } from "../../domain/json.ts";
import { type WireAnswer, type AnswerPart, pieces } from "../answer.ts";
import { argumentsText } from "../arguments.ts";
import type { Ask, AskEntry, OfferedTool, Structured } from "../ask.ts";
import { header } from "../header.ts";
import { contentText, listAt, objectAt, textAt } from "../loose.ts";
import type { SimView, StreamEvent } from "../sim.ts";
import { inputOf, outputText } from "./input.ts";

/** OpenAI Responses, as Codex speaks it. */
export const responsesSim: SimView = {
  read(body, { headers, bytes }): Ask {
    const input = inputOf(body);
    const instructions = input.filter((entry) => /^(?:system|developer)$/.test(textAt(entry, "role")));
    const added = input.filter((entry) => textAt(entry, "type") === "additional_tools");
    return {
      model: textAt(body, "model"),
      stream: body["stream"] === true,
      conversation: header(headers, "thread-id") ?? header(headers, "session-id"),
      subagent: /"thread_source":"subagent"/.test(header(headers, "x-codex-turn-metadata") ?? ""),
      system: [
        textAt(body, "instructions"),
        ...instructions.map((entry) => contentText(objectAt(entry)["content"])),
      ]
        .filter((text) => text !== "")
        .join("\n\n"),
      entries: input.flatMap(toEntries),
      tools: [...listAt(body, "tools"), ...added.flatMap((entry) => listAt(entry, "tools"))].map(toTool),
      structured: structured(body),
      streamUsage: true,
      bytes,
    };
  },
  body: (answer) => response(answer, "completed"),
  events(answer) {
    const opened = { ...response(answer, "in_progress"), output: [], usage: null };
    const events: JsonObject[] = [
      { type: "response.created", response: opened },
      { type: "response.in_progress", response: opened },
      ...answer.parts.flatMap((part, index) => outputEvents(part, index, answer)),
      {
        type: answer.stop === "length" ? "response.incomplete" : "response.completed",
        response: response(answer, "completed"),
      },
    ];
    return events.map((data, sequence_number) => ({
      event: textAt(data, "type"),
      data: { ...data, sequence_number },
    }));
  },
  errorEvent: (code, message): StreamEvent => ({
    event: "response.failed",
    data: {
      type: "response.failed",
      response: {
        id: "resp_failed",
        object: "response",
        status: "failed",
        error: { code, message },
        output: [],
      },
    },
  }),
};

function toEntries(entry: Json): readonly AskEntry[] {
  const fields = objectAt(entry);
  const type = textAt(fields, "type");
  if (type === "function_call" || type === "custom_tool_call" || type === "local_shell_call") {
    return [{ kind: "call", id: textAt(fields, "call_id"), tool: textAt(fields, "name") || "local_shell" }];
  }
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    const output = fields["output"];
    return [
      {
        kind: "result",
        callId: textAt(fields, "call_id"),
        text: outputText(output),
        isError: objectAt(output)["success"] === false,
      },
    ];
  }
  const role = textAt(fields, "role");
  if (role !== "user" && role !== "assistant") return [];
  return [{ kind: role, text: contentText(fields["content"]) }];
}

function toTool(tool: Json): OfferedTool {
  const fn = objectAt(tool);
  return {
    name: textAt(fn, "name") || textAt(fn, "type"),
    custom: textAt(fn, "type") === "custom",
    description: textAt(fn, "description"),
  };
}

function structured(body: JsonObject): Structured {
  const choice = objectAt(body, "tool_choice");
  if (choice["type"] === "function") return { via: "tool", tool: textAt(choice, "name") };
  const format = textAt(objectAt(objectAt(body, "text"), "format"), "type");
  return format === "json_schema" || format === "json_object" ? { via: "text" } : { via: "none" };
}

function response(answer: WireAnswer, status: "in_progress" | "completed"): JsonObject {
  const { tokens } = answer;
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const output = tokens.output + tokens.reasoning;
  const cut = status === "completed" && answer.stop === "length";
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: answer.createdAt,
    status: cut ? "incomplete" : status,
    error: null,
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
    model: answer.model,
    output: answer.parts.map((part, index) => outputEntry(part, index, answer)),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: tokens.cacheRead, cache_write_tokens: tokens.cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: input + output,
    },
  };
}

function outputEntry(part: AnswerPart, index: number, answer: WireAnswer): JsonObject {
  const id = `${answer.id}_${index}`;
  switch (part.kind) {
    case "thinking":
      return {
        id: `rs_${id}`,
        type: "reasoning",
        summary: [{ type: "summary_text", text: part.text }],
        encrypted_content: null,
      };
    case "call":
      return part.custom
        ? {
            id: `ctc_${id}`,
            type: "custom_tool_call",
            status: "completed",
            call_id: `call_${part.id}`,
            name: part.name,
            input: argumentsText(part.input),
          }
        : {
            id: `fc_${id}`,
            type: "function_call",
            status: "completed",
            call_id: `call_${part.id}`,
            name: part.name,
            arguments: argumentsText(part.input),
          };
    default:
      return {
        id: `msg_${id}`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [content(part)],
      };
  }
}

function content(part: AnswerPart & { text: string }): JsonObject {
  return part.kind === "refusal"
    ? { type: "refusal", refusal: part.text }
    : { type: "output_text", text: part.text, annotations: [] };
}

function outputEvents(part: AnswerPart, output_index: number, answer: WireAnswer): readonly JsonObject[] {
  const done = outputEntry(part, output_index, answer);
  const at = { item_id: textAt(done, "id"), output_index };
  const added = (empty: JsonObject): JsonObject => ({
    type: "response.output_item.added",
    output_index,
    item: { ...done, ...empty, ...("status" in done ? { status: "in_progress" } : {}) },
  });
  const finished = { type: "response.output_item.done", output_index, item: done };
  if (part.kind === "call") {
    const stem = part.custom ? "response.custom_tool_call_input" : "response.function_call_arguments";
    const key = part.custom ? "input" : "arguments";
    const whole = argumentsText(part.input);
    return [
      added({ [key]: "" }),
      ...deltas(`${stem}.delta`, at, whole),
      { type: `${stem}.done`, ...at, [key]: whole },
      finished,
    ];
  }
  if (part.kind === "thinking") {
    const place = { ...at, summary_index: 0 };
    const summary = { type: "summary_text", text: part.text };
    return [
      added({ summary: [] }),
      { type: "response.reasoning_summary_part.added", ...place, part: { type: "summary_text", text: "" } },
      ...deltas("response.reasoning_summary_text.delta", place, part.text),
      { type: "response.reasoning_summary_text.done", ...place, text: part.text },
      { type: "response.reasoning_summary_part.done", ...place, part: summary },
      finished,
    ];
  }
  const place = { ...at, content_index: 0 };
  const refused = part.kind === "refusal";
  const stem = refused ? "response.refusal" : "response.output_text";
  return [
    added({ content: [] }),
    { type: "response.content_part.added", ...place, part: content({ ...part, text: "" }) },
    ...deltas(`${stem}.delta`, place, part.text),
    { type: `${stem}.done`, ...place, [refused ? "refusal" : "text"]: part.text },
    { type: "response.content_part.done", ...place, part: content(part) },
    finished,
  ];
}

function deltas(type: string, place: JsonObject, text: string): readonly JsonObject[] {
  return pieces(text).map((delta) => Object.assign({ type, delta }, place));
}
