import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { objectAt, textAt } from "../../wires/loose.ts";
import { post, simFor } from "./test-client.ts";
import { MESSAGES_PATH, HELLO } from "./fixtures/requests.ts";

describe("other requests", () => {
  it("are answered as clients expect", async () => {
    await using sim = await simFor("replies: [x]");
    const head = await fetch(`${sim.url}/r/x`, { method: "HEAD" });
    const models = await fetch(`${sim.url}/v1/models`);
    const count = await post(`${sim.url}/v1/messages/count_tokens`, HELLO);
    const geminiCount = await post(`${sim.url}/v1beta/models/g:countTokens`, {});
    const lost = await fetch(`${sim.url}/v1/unknown`);
    expect([head.status, models.status, count.status, geminiCount.status, lost.status]).toEqual([
      200, 200, 200, 200, 404,
    ]);
    expect(await models.json()).toMatchObject({ object: "list" });
    expect(Number(count.json?.["input_tokens"])).toBeGreaterThan(10);
    expect(await lost.text()).toContain("GET /v1/unknown");
    expect(sim.unmatched).toEqual([]);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("may be packed with %s", async (encoding, pack) => {
    await using sim = await simFor("replies: [unpacked]");
    const packed = new Uint8Array(pack(JSON.stringify(HELLO)));
    const reached = await post(sim.url + MESSAGES_PATH, null, {
      body: packed,
      headers: { "content-encoding": encoding },
    });
    expect(reached.text).toContain("unpacked");
    expect(sim.requests[0]?.seen?.userText).toBe("hello");
  });

  it.each([
    ["an unknown packing", "zstd", JSON.stringify(HELLO), 415],
    ["a broken packing", "gzip", "no gzip", 400],
    ["no JSON", "identity", "{", 400],
  ])("with %s are refused", async (_name, encoding, body, status) => {
    await using sim = await simFor("replies: [x]");
    const reached = await post(sim.url + MESSAGES_PATH, null, {
      body,
      headers: { "content-encoding": encoding },
    });
    expect(reached.status).toBe(status);
    expect(reached.json).toMatchObject({ type: "error" });
  });

  it.each([
    [null],
    [[]],
    ["text"],
    [{}],
    [{ messages: 3, tools: "x", system: [1] }],
    [{ messages: [null, { content: [null] }] }],
  ])("of odd shape do not break it: %j", async (body) => {
    await using sim = await simFor("replies: [fine]");
    expect((await post(sim.url + MESSAGES_PATH, body)).status).toBe(200);
    expect((await post(`${sim.url}/v1/responses`, body)).status).toBe(200);
    expect((await post(`${sim.url}/v1/chat/completions`, body)).status).toBe(200);
  });

  it("may be large, both ways", async () => {
    const reply = "y".repeat(3_000_000);
    await using sim = await simFor(JSON.stringify({ replies: [reply] }));
    const long = "x".repeat(20_000_000);
    const body = { model: "m", stream: true, messages: [{ role: "user", content: long }] };
    const { events } = await post(sim.url + MESSAGES_PATH, body);
    const said = events.map((event) => textAt(objectAt(event, "delta"), "text")).join("");
    expect(said).toBe(reply);
    expect(sim.requests[0]).toMatchObject({ body: null, seen: { userText: "x".repeat(2000) } });
    expect(sim.requests[0]?.bytesIn).toBeGreaterThan(20_000_000);
    expect(sim.requests[0]?.bytesOut).toBeGreaterThan(3_000_000);
  });
});
