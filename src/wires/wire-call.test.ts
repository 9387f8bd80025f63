import { describe, expect, it } from "vitest";
import { WIRE_NAMES, WIRES } from "./index.ts";
import { wireCall } from "./wire-call.ts";

describe("a path", () => {
  it.each([
    ["/v1/messages", "messages", "answer", "messages"],
    ["/r/run-1/v1/messages", "messages", "answer", "messages"],
    ["/t/abc/v1/messages/count_tokens", "messages", "count", "messages/count_tokens"],
    ["/any/prefix/v1/responses", "responses", "answer", "responses"],
    ["/openai/v1/chat/completions", "chat", "answer", "chat/completions"],
    ["/chat/completions", "chat", "answer", "chat/completions"],
    ["/v1beta/models/g:countTokens", "gemini", "count", "models/g:countTokens"],
    ["/models/models/g:generateContent", "gemini", "answer", "models/g:generateContent"],
  ])("%s is %s, %s", (path, wire, operation, resource) => {
    expect(wireCall(path)).toMatchObject({ wire, operation, resource });
    expect(WIRE_NAMES.filter((name) => WIRES[name].http.route(path) !== null)).toEqual([wire]);
  });

  it("names Gemini's model", () => {
    expect(wireCall("/v1beta/models/gemini-2.5-pro:streamGenerateContent")).toEqual({
      wire: "gemini",
      operation: "answer",
      resource: "models/gemini-2.5-pro:streamGenerateContent",
      model: "gemini-2.5-pro",
      stream: true,
    });
  });

  it.each(["/", "/v1/models", "/v1/responses/resp_1", "/v1/messages/batches", "/v1/embeddings"])(
    "%s asks no model to speak",
    (path) => {
      expect(wireCall(path)).toBeNull();
    },
  );
});
