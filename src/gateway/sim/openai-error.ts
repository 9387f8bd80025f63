import type { JsonObject } from "../../domain/json.ts";

/** The error body that all of OpenAI's interfaces share. */
export function openaiError(status: number, message: string): JsonObject {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: null, code: CODES[status] ?? null } };
}

const CODES: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
  500: "server_error",
};
