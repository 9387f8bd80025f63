import type { JsonObject } from "../domain/json.ts";
import type { WireName } from "../providers/wire/wire.ts";

/** An error in the words of a dialect, so that clients show its message. */
export function errorBody(wire: WireName, status: number, message: string): JsonObject {
  switch (wire) {
    case "messages": {
      const type = MESSAGES_TYPE[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
      return { type: "error", error: { type, message } };
    }
    case "gemini":
      return { error: { code: status, message, status: GEMINI_STATUS[status] ?? otherGemini(status) } };
    default: {
      const type = status >= 500 ? "server_error" : "invalid_request_error";
      return { error: { message, type, param: null, code: OPENAI_CODE[status] ?? null } };
    }
  }
}

const MESSAGES_TYPE: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const OPENAI_CODE: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
  500: "server_error",
};

const GEMINI_STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function otherGemini(status: number): string {
  return status >= 500 ? "INTERNAL" : "FAILED_PRECONDITION";
}
