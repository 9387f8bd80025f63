import { describe, expect, it } from "vitest";
import { post, SAYS, simFor } from "./test-client.ts";
import { later } from "./fixtures/requests.ts";

const WIRE_NAMES = ["messages", "responses", "chat", "gemini"] as const;

describe.each(WIRE_NAMES)("over %s", (wire) => {
  it.each([false, true])("answers (stream: %s), with a path before /v1", async (stream) => {
    await using sim = await simFor(
      `replies: ["Hello from the script, at some length so that it is cut into pieces."]`,
    );
    const [path, body] = SAYS[wire]("hi", stream);
    const reached = await post(`${sim.url}/r/run-7${path}`, body);
    expect(reached.status).toBe(200);
    expect(reached.headers.get("content-type")).toMatch(
      stream ? /^text\/event-stream/ : /^application\/json/,
    );
    expect(reached.text).toContain("Hello from the script");
    expect(reached.events.length > 3).toBe(stream);
    expect(sim.requests[0]).toMatchObject({
      method: "POST",
      status: 200,
      rule: "reply 1",
      seen: { wire, model: "m", stream, turn: 1, step: 1, userText: "hi" },
    });
  });

  it("says what nobody scripted", async () => {
    await using sim = await simFor(`[{ when: { userText: other }, reply: x }]`);
    const [path, body] = SAYS[wire]("unexpected thing");
    const reached = await post(sim.url + path, body);
    expect(reached.status).toBe(400);
    expect(reached.text).toMatch(/assay sim: no rule .*unexpected thing/);
    expect(sim.unmatched).toHaveLength(1);
    expect(sim.unmatched[0]?.unmatched).toContain("unexpected thing");
  });

  it.each([401, 403, 429, 500, 529])("fails with %s as scripted", async (status) => {
    await using sim = await simFor(
      `[{ fault: { status: ${status}, message: scripted words, retryAfter: 3 } }]`,
    );
    const [path, body] = SAYS[wire]("x", true);
    const reached = await post(sim.url + path, body);
    expect(reached.status).toBe(status);
    expect(reached.headers.get("retry-after")).toBe("3");
    expect(JSON.stringify(reached.json)).toContain("scripted words");
  });

  it.each([
    ["drop", "drop: true", false],
    ["drop", "drop: true", true],
    ["cut", "cutAfter: 1", true],
    ["cut", "cutAfter: 1", false],
    ["cut before anything", "cutAfter: 0", true],
  ])("loses the connection: %s", async (_name, fault, stream) => {
    await using sim = await simFor(`[{ reply: words, fault: { ${fault} }, times: 1 }, { reply: after }]`);
    const [path, body] = SAYS[wire]("x", stream);
    await expect(post(sim.url + path, body)).rejects.toThrow(/fetch failed|terminated/);
    expect((await post(sim.url + path, body)).text).toContain("after");
    expect(sim.requests.map((seen) => seen.end)).toEqual(["cut", "complete"]);
  });

  it.each([false, true])("sends what is no JSON (stream: %s)", async (stream) => {
    await using sim = await simFor(`[{ reply: words, fault: { malformed: true } }]`);
    const [path, body] = SAYS[wire]("x", stream);
    const response = await fetch(sim.url + path, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    const last = stream ? (text.trim().split("data: ").at(-1) ?? "") : text;
    expect(response.status).toBe(200);
    expect(() => JSON.parse(last) as unknown).toThrow(SyntaxError);
  });

  it("stalls after the first event until the client leaves", async () => {
    await using sim = await simFor(`[{ reply: words, fault: { stall: true } }]`);
    const [path, body] = SAYS[wire]("x", true);
    const leave = new AbortController();
    const response = await fetch(sim.url + path, {
      method: "POST",
      body: JSON.stringify(body),
      signal: leave.signal,
    });
    const reader = response.body!.getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value).match(/^data: /gm)).toHaveLength(1);
    const second = reader.read().catch(() => "left");
    await expect(Promise.race([second, later(150)])).resolves.toBe("later");
    leave.abort();
    await second;
    await expect.poll(() => sim.requests[0]?.end).toBe("client-left");
  });

  it("tells an error in the stream", async () => {
    await using sim = await simFor(`[{ fault: { errorEvent: overloaded_error, message: busy now } }]`);
    const [path, body] = SAYS[wire]("x", true);
    const { events } = await post(sim.url + path, body);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events[1])).toMatch(/overloaded_error.*busy now|busy now.*overloaded_error/);
  });
});
