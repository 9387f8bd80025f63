import { expect, it } from "vitest";
import { keepReplies } from "./replies.ts";

function sse(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

function textsIn(wire: "messages" | "responses", contentType: string, body: string, pieceBytes = 7) {
  const replies = keepReplies();
  const reply = replies.open(wire, contentType);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += pieceBytes) reply.push(bytes.subarray(at, at + pieceBytes));
  reply.end();
  return replies.texts();
}

it("joins what came in pieces and looks into what tools are called with", () => {
  const delta = (index: number, part: object) => ({ type: "content_block_delta", index, delta: part });
  const body = sse(
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    delta(0, { type: "text_delta", text: "Grüße, " }),
    delta(0, { type: "text_delta", text: "Ada" }),
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "toolu_1", name: "Bash" },
    },
    delta(1, { type: "input_json_delta", partial_json: '{"command":"a\\n' }),
    delta(1, { type: "input_json_delta", partial_json: 'b"}' }),
  );
  const texts = textsIn("messages", "text/event-stream; charset=utf-8", body);
  expect(texts).toEqual(expect.arrayContaining(["Grüße, Ada", "toolu_1", "Bash", "a\nb"]));
});

it("reads whole replies", () => {
  const body = JSON.stringify({
    output: [{ type: "function_call", name: "shell", arguments: '{"cmd":"ls"}' }],
  });
  expect(textsIn("responses", "application/json", body)).toEqual(expect.arrayContaining(["shell", "ls"]));
});

it("knows nothing any more after more than it keeps", () => {
  const body = JSON.stringify({ text: "x".repeat(33 * 1024 * 1024) });
  expect(textsIn("messages", "application/json", body, 1024 * 1024)).toBeNull();
});
