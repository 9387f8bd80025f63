import { contentText, listAt, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { reminders } from "../client-texts.ts";
import type { HttpView } from "../http.ts";
import { metered } from "../usage.ts";
import { declaredTools } from "./declared-tools.ts";
import { geminiUsage } from "./usage.ts";

/** Google's generateContent. */
export const geminiHttp: HttpView = {
  route(path) {
    const match = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/.exec(path);
    if (match === null) return null;
    return {
      operation: match[2] === "countTokens" ? "count" : "answer",
      resource: match[0].slice(1),
      model: match[1] ?? null,
      stream: match[2] === "streamGenerateContent",
    };
  },
  marks: (headers, path) => headers["x-goog-api-key"] !== undefined || path.startsWith("/v1beta/"),
  version: "v1beta",
  versionedBy: "version-at-end",
  maxOutputTokens: (body) => numberOrNull(objectAt(body, "generationConfig"), "maxOutputTokens"),
  clientTexts: (body) => [
    contentText(objectAt(body, "systemInstruction")["parts"]),
    ...listAt(body, "contents").flatMap((content) =>
      textAt(content, "role") === "model" ? [] : reminders(contentText(objectAt(content)["parts"])),
    ),
    ...declaredTools(body).map((tool) => textAt(tool, "description")),
  ],
  meter: (body) => metered(textOrNull(body, "modelVersion"), objectAt(body, "usageMetadata"), geminiUsage),
  firstWord: '"candidates"',
  errorBody: (status, message) => ({
    error: { code: status, message, status: ERROR_STATUS[status] ?? otherStatus(status) },
  }),
  finalStatus: 400,
  countBody: (tokens) => ({ totalTokens: tokens }),
  noModels: { models: [] },
};

const ERROR_STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function otherStatus(status: number): string {
  return status >= 500 ? "INTERNAL" : "FAILED_PRECONDITION";
}
