import { listAt, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { messageTexts, toolTexts } from "../client-texts.ts";
import type { HttpView } from "../http.ts";
import { openAiError } from "../openai.ts";
import { metered } from "../usage.ts";
import { responsesUsage } from "./usage.ts";

/** OpenAI Responses. */
export const responsesHttp: HttpView = {
  route: (path) =>
    path.endsWith("/responses")
      ? { operation: "answer", resource: "responses", model: null, stream: null }
      : null,
  marks: () => false,
  version: "v1",
  versionedBy: "any-path",
  maxOutputTokens: (body) => numberOrNull(body, "max_output_tokens"),
  clientTexts: (body) => [
    textAt(body, "instructions"),
    ...messageTexts(listAt(body, "input")),
    ...toolTexts(body),
  ],
  meter(body) {
    const response = "response" in objectAt(body) ? objectAt(body, "response") : objectAt(body);
    return metered(textOrNull(response, "model"), objectAt(response, "usage"), responsesUsage);
  },
  firstWord: '.delta"',
  errorBody: openAiError,
  finalStatus: 400,
  countBody: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  noModels: { object: "list", data: [], has_more: false },
};
