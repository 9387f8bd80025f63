import { listAt, numberOrNull, objectAt, textOrNull } from "../../lib/loose.ts";
import { messageTexts, toolTexts } from "../client-texts.ts";
import type { HttpView } from "../http.ts";
import { openAiError } from "../openai.ts";
import { metered } from "../usage.ts";
import { chatUsage } from "./usage.ts";

/** OpenAI Chat Completions and everything that calls itself compatible. */
export const chatHttp: HttpView = {
  route: (path) =>
    path.endsWith("/chat/completions")
      ? { operation: "answer", resource: "chat/completions", model: null, stream: null }
      : null,
  marks: () => false,
  version: "v1",
  versionedBy: "any-path",
  maxOutputTokens: (body) => numberOrNull(body, "max_completion_tokens") ?? numberOrNull(body, "max_tokens"),
  clientTexts: (body) => [...messageTexts(listAt(body, "messages")), ...toolTexts(body)],
  meter: (body) => metered(textOrNull(body, "model"), objectAt(body, "usage"), chatUsage),
  firstWord: '"delta"',
  errorBody: openAiError,
  finalStatus: 400,
  countBody: (tokens) => ({ input_tokens: tokens }),
  noModels: { object: "list", data: [], has_more: false },
};
