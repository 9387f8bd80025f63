import { describe, expect, it } from "vitest";
import { post, simFor } from "./test-client.ts";

describe("a structured answer", () => {
  const script = `[{ when: { structured: true }, reply: { json: { verdict: passed, said: "{{userText}}" } } }]`;
  const value = { verdict: "passed", said: "judge" };
  const schema = { type: "object" };
  const text = [{ role: "user", content: "judge" }];

  it.each([
    [
      "Anthropic's output format",
      "/v1/messages",
      { messages: text, output_config: { format: { type: "json_schema", schema } } },
    ],
    [
      "OpenAI Responses",
      "/v1/responses",
      { input: "judge", text: { format: { type: "json_schema", name: "v", schema } } },
    ],
    [
      "Chat Completions",
      "/v1/chat/completions",
      { messages: text, response_format: { type: "json_schema", json_schema: { schema } } },
    ],
    [
      "Gemini",
      "/v1/models/g:generateContent",
      {
        contents: [{ role: "user", parts: [{ text: "judge" }] }],
        generationConfig: { responseMimeType: "application/json" },
      },
    ],
  ])("is text for %s", async (_name, path, body) => {
    await using sim = await simFor(script);
    const { text: reached } = await post(sim.url + path, { model: "m", ...body });
    expect(reached).toContain(JSON.stringify(JSON.stringify(value)).slice(1, -1));
  });

  it.each([
    [
      "Anthropic",
      "/v1/messages",
      { messages: text, tools: [{ name: "v" }], tool_choice: { type: "tool", name: "v" } },
    ],
    [
      "Claude Code's schema option",
      "/v1/messages",
      { messages: text, tools: [{ name: "StructuredOutput" }] },
    ],
    ["OpenAI Responses", "/v1/responses", { input: "judge", tool_choice: { type: "function", name: "v" } }],
    [
      "Chat Completions",
      "/v1/chat/completions",
      { messages: text, tool_choice: { type: "function", function: { name: "v" } } },
    ],
    [
      "Gemini",
      "/v1beta/models/g:generateContent",
      {
        contents: [{ role: "user", parts: [{ text: "judge" }] }],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["v"] } },
      },
    ],
  ])("is a tool call for %s where one is forced", async (_name, path, body) => {
    await using sim = await simFor(script);
    const { text: reached } = await post(sim.url + path, { model: "m", ...body });
    expect(reached).toMatch(/tool_use|function_call|tool_calls|functionCall/);
    expect(reached.replaceAll("\\", "")).toContain(JSON.stringify(value));
  });
});
