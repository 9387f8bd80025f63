import type { Json, JsonObject } from "../../domain/json.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { AskedCall, CassetteView, TapeEntry, Spoken, TextPart } from "../cassette.ts";
import { inputOf, outputText } from "./input.ts";

/** OpenAI Responses, as Codex, our own agent and judges speak it. */
export const responsesCassette: CassetteView = { spoken, part, isFinal, otherForm: null };

function spoken({ body, headers, model }: AskedCall): Spoken {
  const [session, thread] = [textAt(headers, "session-id"), textAt(headers, "thread-id")];
  return {
    thread: thread || session,
    sessionIds: [session, thread].filter((id) => id !== ""),
    model,
    form: formOf(body),
    tools: listAt(body, "tools").map((tool) => textAt(tool, "name") || textAt(tool, "type")),
    system: textAt(body, "instructions"),
    entries: inputOf(body).flatMap(toEntries),
  };
}

function formOf(body: JsonObject): JsonObject | null {
  const format = objectAt(objectAt(body, "text"), "format");
  if (format["type"] === "json_schema" || format["type"] === "json_object") return format as JsonObject;
  const choice = objectAt(body, "tool_choice");
  return choice["type"] === "function" ? (choice as JsonObject) : null;
}

function toEntries(entry: unknown): readonly TapeEntry[] {
  const type = textAt(entry, "type");
  if (type.endsWith("_call")) return [toCall(entry)];
  if (type.endsWith("_call_output")) return [toResult(entry)];
  const role = textAt(entry, "role");
  const content = objectAt(entry)["content"];
  if (role === "assistant") return [{ kind: "said", response: true }];
  const parts = typeof content === "string" ? [{ text: content }] : listAt(content);
  const texts = parts.map((part) => textAt(part, "text") || JSON.stringify(part));
  if (role === "user") return texts.map((text) => ({ kind: "user", text }));
  return role === "system" || role === "developer" ? texts.map((text) => ({ kind: "client", text })) : [];
}

/** Calls may be answered one by one or together, so each counts for itself. */
function toCall(entry: unknown): TapeEntry {
  const fields = objectAt(entry);
  const input =
    textAt(fields, "arguments") || textAt(fields, "input") || JSON.stringify(fields["action"] ?? {});
  const tool = textAt(fields, "name") || textAt(fields, "type").replace(/_call$/, "");
  return { kind: "call", id: textAt(fields, "call_id"), tool, input, response: true };
}

function toResult(entry: unknown): TapeEntry {
  const output = objectAt(entry)["output"];
  const text = outputText(output);
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(text)?.[1];
  return {
    kind: "result",
    callId: textAt(entry, "call_id"),
    text: withoutBookkeeping(text),
    failed: objectAt(output)["success"] === false || (code !== undefined && code !== "0"),
  };
}

/** What Codex puts over the output of a command: times, and sizes that follow from the length of paths. */
function withoutBookkeeping(text: string): string {
  return text.replaceAll(/^(?:Chunk ID: \w+|Wall time: [\d.]+ seconds|Original token count: \d+)\n/gm, "");
}

function part(event: Json): TextPart | null {
  const fields = objectAt(event);
  if (!textAt(fields, "type").endsWith(".delta") || typeof fields["delta"] !== "string") return null;
  return { path: ["delta"], key: PLACE.map((name) => String(fields[name])).join(" ") };
}

const PLACE = ["type", "item_id", "output_index", "content_index", "summary_index"];

function isFinal(event: Json): boolean {
  return /^response\.(?:completed|incomplete)$/.test(textAt(event, "type"));
}
