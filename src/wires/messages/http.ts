import { contentText, listAt, numberOrNull, objectAt, textOrNull } from "../../lib/loose.ts";
import { messageTexts, toolTexts } from "../client-texts.ts";
import type { HttpView } from "../http.ts";
import { metered } from "../usage.ts";
import { messagesUsage } from "./usage.ts";

/** Anthropic Messages. */
export const messagesHttp: HttpView = {
  route(path) {
    if (path.endsWith("/messages"))
      return { operation: "answer", resource: "messages", model: null, stream: null };
    if (path.endsWith("/messages/count_tokens"))
      return { operation: "count", resource: "messages/count_tokens", model: null, stream: null };
    return null;
  },
  marks: (headers) => headers["anthropic-version"] !== undefined,
  version: "v1",
  versionedBy: "version-at-end",
  maxOutputTokens: (body) => numberOrNull(body, "max_tokens"),
  clientTexts: (body) => [
    contentText(body["system"]),
    ...messageTexts(listAt(body, "messages")),
    ...toolTexts(body),
  ],
  meter(body) {
    const message = "message" in objectAt(body) ? objectAt(body, "message") : objectAt(body);
    return metered(textOrNull(message, "model"), objectAt(message, "usage"), messagesUsage);
  },
  firstWord: '"content_block_delta"',
  errorBody(status, message) {
    const type = ERROR_TYPE[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
    return { type: "error", error: { type, message } };
  },
  finalStatus: 410,
  countBody: (tokens) => ({ input_tokens: tokens }),
  noModels: { object: "list", data: [], has_more: false },
};

const ERROR_TYPE: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};
