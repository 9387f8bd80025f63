import type { Json, JsonObject } from "../../domain/json.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import { argumentsText } from "../arguments.ts";
import type { AskedCall, CassetteView, TapeEntry, Spoken, TextPart } from "../cassette.ts";
import { wholeContent } from "../whole-content.ts";

/** Chat Completions, as our own agent, judges and other clients of compatible servers speak it. */
export const chatCassette: CassetteView = { spoken, part, isFinal, otherForm: null };

function spoken({ body, headers, model }: AskedCall): Spoken {
  const session = textAt(headers, "x-session-id");
  const entries = listAt(body, "messages").flatMap(toEntries);
  const begun = entries.findIndex((entry) => entry.kind !== "client");
  const system = begun === -1 ? entries : entries.slice(0, begun);
  return {
    thread: session,
    sessionIds: session === "" ? [] : [session],
    model,
    form: formOf(body),
    tools: listAt(body, "tools").map((tool) => textAt(objectAt(tool, "function"), "name")),
    system: system.map((entry) => (entry.kind === "client" ? entry.text : "")).join("\n\n"),
    entries: entries.slice(system.length),
  };
}

function formOf(body: JsonObject): JsonObject | null {
  const format = objectAt(body, "response_format");
  if (Object.keys(format).length > 0 && format["type"] !== "text") return format as JsonObject;
  const choice = objectAt(body, "tool_choice");
  return choice["type"] === "function" ? (choice as JsonObject) : null;
}

function toEntries(message: unknown): readonly TapeEntry[] {
  const text = wholeContent(objectAt(message)["content"]);
  switch (textAt(message, "role")) {
    case "user":
      return [{ kind: "user", text }];
    case "tool":
      return [{ kind: "result", callId: textAt(message, "tool_call_id"), text, failed: null }];
    case "assistant":
      return [{ kind: "said", response: true }, ...listAt(message, "tool_calls").map(toCall)];
    default:
      return [{ kind: "client", text }];
  }
}

function toCall(call: unknown): TapeEntry {
  const { name, arguments: given } = objectAt(call, "function");
  const input = argumentsText((given ?? {}) as Json);
  return { kind: "call", id: textAt(call, "id"), tool: textAt(name), input, response: false };
}

/** Only events that say nothing else, such as the name of a tool. */
function part(event: Json): TextPart | null {
  const choices = listAt(event, "choices");
  const delta = objectAt(choices[0], "delta");
  if (choices.length !== 1 || textAt(choices[0], "finish_reason") !== "" || objectAt(event)["usage"])
    return null;
  const said = Object.keys(delta).filter((key) => key !== "role" && delta[key] !== null);
  const [name = ""] = said;
  if (said.length !== 1) return null;
  const [call, ...others] = listAt(delta, "tool_calls");
  const at = (...path: TextPart["path"]): TextPart => {
    const whole = ["choices", 0, "delta", name, ...path];
    return { path: whole, key: `${whole.join(".")} ${String(objectAt(call)["index"])}` };
  };
  if (/^(?:content|reasoning_content|reasoning)$/.test(name)) return at();
  const only =
    name === "tool_calls" && call !== undefined && others.length === 0 && textAt(call, "id") === "";
  return only ? at(0, "function", "arguments") : null;
}

function isFinal(event: Json): boolean {
  return (
    event === "[DONE]" || listAt(event, "choices").some((choice) => textAt(choice, "finish_reason") !== "")
  );
}
