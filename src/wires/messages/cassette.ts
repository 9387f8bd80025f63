import type { Json, JsonObject } from "../../domain/json.ts";
import { contentText, listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { AskedCall, CassetteView, TapeEntry, Spoken, TextPart } from "../cassette.ts";
import { wholeContent } from "../whole-content.ts";
import { otherForm } from "./other-form.ts";
import { STRUCTURED_OUTPUT } from "./structured-output.ts";

/** Anthropic Messages, as Claude Code, our own agent and judges speak it. */
export const messagesCassette: CassetteView = { spoken, part, isFinal, otherForm };

function spoken({ body, headers, model }: AskedCall): Spoken {
  const session = textAt(headers, "x-claude-code-session-id");
  const agent = textAt(headers, "x-claude-code-agent-id");
  return {
    thread: agent || session,
    sessionIds: [session, agent].filter((id) => id !== ""),
    model,
    form: formOf(body),
    tools: listAt(body, "tools").map((tool) => textAt(tool, "name")),
    system: contentText(body["system"]),
    entries: listAt(body, "messages").flatMap(toEntries),
  };
}

function formOf(body: JsonObject): JsonObject | null {
  const format = objectAt(objectAt(body, "output_config"), "format");
  if (format["type"] === "json_schema") return format as JsonObject;
  const choice = objectAt(body, "tool_choice");
  const forced = choice["type"] === "tool" ? textAt(choice, "name") : STRUCTURED_OUTPUT;
  const tool = listAt(body, "tools").find((one) => textAt(one, "name") === forced);
  return tool === undefined ? null : { tool: forced, schema: objectAt(tool, "input_schema") as JsonObject };
}

function toEntries(message: unknown): readonly TapeEntry[] {
  const role = textAt(message, "role");
  const content = objectAt(message)["content"];
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listAt(content);
  if (role === "system") return blocks.map((block) => ({ kind: "client", text: textAt(block, "text") }));
  if (role === "assistant") return assistantEntries(blocks);
  return blocks.flatMap((block): readonly TapeEntry[] => {
    const type = textAt(block, "type");
    if (type === "text") return [{ kind: "user", text: textAt(block, "text") }];
    if (type === "tool_result")
      return [
        {
          kind: "result",
          callId: textAt(block, "tool_use_id"),
          text: wholeContent(objectAt(block)["content"]),
          failed: objectAt(block)["is_error"] === true,
        },
      ];
    return [{ kind: "user", text: JSON.stringify(objectAt(block)["source"] ?? type) }];
  });
}

function assistantEntries(blocks: readonly unknown[]): readonly TapeEntry[] {
  const calls = blocks.filter((block) => textAt(block, "type") === "tool_use");
  return [
    { kind: "said", response: true },
    ...calls.map((block): TapeEntry => {
      const input = JSON.stringify(objectAt(block)["input"] ?? {});
      return { kind: "call", id: textAt(block, "id"), tool: textAt(block, "name"), input, response: false };
    }),
  ];
}

function part(event: Json): TextPart | null {
  const name = DELTA_TEXT[textAt(objectAt(event, "delta"), "type")];
  if (textAt(event, "type") !== "content_block_delta" || name === undefined) return null;
  return { path: ["delta", name], key: `${String(objectAt(event)["index"])} delta.${name}` };
}

const DELTA_TEXT: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
};

function isFinal(event: Json): boolean {
  return textAt(event, "type") === "message_stop";
}
