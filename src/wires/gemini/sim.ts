import type { Json, JsonObject } from "../../domain/json.ts";
import { type WireAnswer, type AnswerPart, pieces, type AnswerStop } from "../answer.ts";
import type { Ask, AskEntry, Structured } from "../ask.ts";
import { contentText, listAt, objectAt, textAt } from "../loose.ts";
import { offeredTool } from "../offered-tool.ts";
import type { SimView, StreamEvent } from "../sim.ts";
import { declaredTools } from "./declared-tools.ts";

/** Google's generateContent. */
export const geminiSim: SimView = {
  read(body, { route, bytes }): Ask {
    return {
      model: route.model ?? "",
      stream: route.stream === true,
      conversation: null,
      subagent: false,
      system: contentText(objectAt(body, "systemInstruction")["parts"]),
      entries: listAt(body, "contents").flatMap(toEntries),
      tools: declaredTools(body).map(offeredTool),
      structured: structured(body),
      streamUsage: true,
      bytes,
    };
  },
  body: (answer) => chunk(answer, answer.parts.flatMap(whole), true),
  events: (answer) => {
    const parts = answer.parts.flatMap(streamed);
    return [
      ...parts.map((part): StreamEvent => ({ event: null, data: chunk(answer, [part], false) })),
      { event: null, data: chunk(answer, [], true) },
    ];
  },
  errorEvent: (type, message) => ({ event: null, data: { error: { code: 500, message, status: type } } }),
};

/** Calls have no ids of their own here: a result belongs to the latest call of that name. */
function toEntries(content: Json): readonly AskEntry[] {
  const kind = textAt(content, "role") === "model" ? "assistant" : "user";
  return listAt(content, "parts").flatMap((part): readonly AskEntry[] => {
    const call = objectAt(part, "functionCall");
    const given = objectAt(part, "functionResponse");
    if ("name" in call)
      return [{ kind: "call", id: textAt(call, "id") || textAt(call, "name"), tool: textAt(call, "name") }];
    if ("name" in given) {
      const response = objectAt(given, "response");
      const text = textAt(response, "output") || textAt(response, "error") || JSON.stringify(response);
      const callId = textAt(given, "id") || textAt(given, "name");
      return [{ kind: "result", callId, text, isError: "error" in response }];
    }
    return "text" in objectAt(part) ? [{ kind, text: textAt(part, "text") }] : [];
  });
}

function structured(body: JsonObject): Structured {
  const calling = objectAt(objectAt(body, "toolConfig"), "functionCallingConfig");
  const forced = textAt(listAt(calling, "allowedFunctionNames")[0]);
  if (calling["mode"] === "ANY" && forced !== "") return { via: "tool", tool: forced };
  return textAt(objectAt(body, "generationConfig"), "responseMimeType") === "application/json"
    ? { via: "text" }
    : { via: "none" };
}

const FINISH: Readonly<Record<AnswerStop, string>> = {
  end: "STOP",
  tool: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
};

function chunk(answer: WireAnswer, parts: readonly JsonObject[], last: boolean): JsonObject {
  const { tokens } = answer;
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  return {
    candidates: [
      {
        content: { role: "model", parts },
        index: 0,
        ...(last ? { finishReason: FINISH[answer.stop] } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: tokens.cacheRead,
      candidatesTokenCount: tokens.output,
      thoughtsTokenCount: tokens.reasoning,
      totalTokenCount: input + tokens.output + tokens.reasoning,
    },
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function whole(part: AnswerPart): readonly JsonObject[] {
  return part.kind === "call" ? [call(part)] : [textPart(part, part.text)];
}

function streamed(part: AnswerPart): readonly JsonObject[] {
  return part.kind === "call" ? [call(part)] : pieces(part.text).map((piece) => textPart(part, piece));
}

function call(part: AnswerPart & { kind: "call" }): JsonObject {
  return { functionCall: { id: part.id, name: part.name, args: part.input } };
}

function textPart(part: AnswerPart, text: string): JsonObject {
  return part.kind === "thinking" ? { text, thought: true } : { text };
}
