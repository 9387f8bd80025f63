import type { Json, JsonObject } from "../../domain/json.ts";
import { contentText, listAt, objectAt, textAt } from "../../lib/loose.ts";
import type { AskedCall, CassetteView, TapeEntry, Spoken, TextPart } from "../cassette.ts";
import { declaredTools } from "./declared-tools.ts";

/** Gemini's generateContent. Calls have no ids there: results answer the calls of the same name in order. */
export const geminiCassette: CassetteView = { spoken, part, isFinal, otherForm: null };

function spoken({ body, model }: AskedCall): Spoken {
  const config = objectAt(body, "generationConfig");
  const schema = config["responseSchema"] ?? config["responseJsonSchema"];
  const counts = { call: new Map<string, number>(), result: new Map<string, number>() };
  const numbered = (kind: "call" | "result", tool: string): string => {
    const count = (counts[kind].get(tool) ?? 0) + 1;
    counts[kind].set(tool, count);
    return `${tool} ${count}`;
  };
  return {
    thread: "",
    sessionIds: [],
    model,
    form: schema === undefined ? null : (objectAt(schema) as JsonObject),
    tools: declaredTools(body).map((tool) => textAt(tool, "name")),
    system: contentText(objectAt(body, "systemInstruction")["parts"]),
    entries: listAt(body, "contents").flatMap((content) => toEntries(content, numbered)),
  };
}

function toEntries(
  content: unknown,
  numbered: (kind: "call" | "result", tool: string) => string,
): readonly TapeEntry[] {
  const model = textAt(content, "role") === "model";
  const entries = listAt(content, "parts").flatMap((part): readonly TapeEntry[] => {
    const called = objectAt(part, "functionCall");
    const answered = objectAt(part, "functionResponse");
    if ("name" in called) {
      const tool = textAt(called, "name");
      const input = JSON.stringify(called["args"] ?? {});
      return [{ kind: "call", id: numbered("call", tool), tool, input, response: false }];
    }
    if ("name" in answered) {
      const response = objectAt(answered, "response");
      const text = textAt(response, "output") || JSON.stringify(response);
      const callId = numbered("result", textAt(answered, "name"));
      return [{ kind: "result", callId, text, failed: "error" in response }];
    }
    return model ? [] : [{ kind: "user", text: textAt(part, "text") || JSON.stringify(part) }];
  });
  return model ? [{ kind: "said", response: true }, ...entries] : entries;
}

function part(event: Json): TextPart | null {
  const [candidate, ...others] = listAt(event, "candidates");
  const [first, ...more] = listAt(objectAt(candidate, "content"), "parts");
  if (others.length > 0 || more.length > 0 || textAt(candidate, "finishReason") !== "") return null;
  if (typeof objectAt(first)["text"] !== "string") return null;
  return {
    path: ["candidates", 0, "content", "parts", 0, "text"],
    key: String(objectAt(first)["thought"] === true),
  };
}

function isFinal(event: Json): boolean {
  return listAt(event, "candidates").some((candidate) => textAt(candidate, "finishReason") !== "");
}
