import type { JsonObject } from "../domain/json.ts";

/** What the two dialects of OpenAI share: an error in their words. */
export function openAiError(status: number, message: string): JsonObject {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: null, code: OPENAI_CODE[status] ?? null } };
}

const OPENAI_CODE: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
  500: "server_error",
};
