import { createHash } from "node:crypto";
import { connect } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { post, SAYS, simFor } from "./sim/test-client.ts";
import { bodyOf, gatewayTo, rawService, REAL_KEY } from "./test-gateway.ts";

const WIRES = ["messages", "responses", "chat", "gemini"] as const;
const USAGE = "usage: { input: 1000, output: 20, cacheRead: 300, cacheWrite: 40, reasoning: 5 }";

describe.each(WIRES)("over %s", (wire) => {
  it.each([false, true])("passes an answer on byte for byte (stream: %s)", async (stream) => {
    await using sim = await simFor(
      `replies: ["Ein Gruß ☂, long enough to come in several pieces: ${"word ".repeat(40)}"]`,
      {
        now: () => new Date(0),
      },
    );
    await using to = await gatewayTo(sim.url);
    const [path, body] = SAYS[wire]("hi", stream);
    const direct = await post(sim.url + path, body);
    const through = await post(to.url + path, body, { headers: to.headers });
    expect(through.status).toBe(200);
    expect(through.headers.get("content-type")).toBe(direct.headers.get("content-type"));
    expect(withoutSerial(through.text)).toBe(withoutSerial(direct.text));
    expect(through.events.length).toBe(direct.events.length);
  });

  it.each([false, true])("meters tokens, money and time (stream: %s)", async (stream) => {
    await using sim = await simFor(`[{ reply: { parts: [hello there], ${USAGE} } }]`);
    const priceOf = (model: string) => (model === "m" ? 0.25 : null);
    await using to = await gatewayTo(sim.url, { priceOf });
    const [path, body] = SAYS[wire]("hi", stream);
    const asked = wire === "chat" ? { ...body, stream_options: { include_usage: true } } : body;
    await post(to.url + path, asked, { headers: to.headers });
    const traffic = to.trial.close();
    const cacheWrite = wire === "chat" || wire === "gemini" ? null : 40;
    expect(traffic.usage).toEqual({
      inputTokens: cacheWrite === null ? 1040 : 1000,
      outputTokens: 25,
      cacheReadTokens: 300,
      cacheWriteTokens: cacheWrite,
      reasoningTokens: wire === "messages" ? null : 5,
      costUsd: 0.25,
    });
    expect(traffic.models).toEqual({ m: { requests: 1, usage: traffic.usage } });
    expect(traffic).toMatchObject({ unmetered: 0, replayed: 0, errors: {}, stopped: null });
    const [record] = traffic.exchanges;
    expect(record).toMatchObject({ wire, stream, status: 200, end: "complete", attempts: 1 });
    expect(record!.durationMs).toBeGreaterThan(0);
    expect(record!.firstTokenMs === null).toBe(!stream);
  });

  it("puts the real key in the place of the token", async () => {
    const seen: { headers: Record<string, unknown>; url: string }[] = [];
    await using service = await rawService((request, response) => {
      seen.push({ headers: request.headers, url: request.url ?? "" });
      response.end("{}");
    });
    await using to = await gatewayTo(`${service.url}/base`);
    const [path, body] = SAYS[wire]("hi");
    const { token } = to.trial.endpoint;
    const ways = [
      { url: to.url + path, headers: { authorization: `Bearer ${token}` } },
      { url: to.url + path, headers: { "x-api-key": token } },
      { url: to.url + path, headers: { "x-goog-api-key": token } },
      { url: `${to.url + path}?key=${token}`, headers: {} },
      { url: `http://127.0.0.1:${to.gateway.port}${path}`, headers: { "x-api-key": token } },
    ];
    for (const { url, headers } of ways) {
      const sent = { ...headers, cookie: "a=b", connection: "x-private", "x-private": "1", "x-kept": "yes" };
      const reached = await rawPost(url, sent, JSON.stringify(body));
      expect(reached).toContain("200 OK");
    }
    expect(seen).toHaveLength(ways.length);
    for (const { headers, url } of seen) {
      expect(headers).toMatchObject({
        "x-api-key": REAL_KEY,
        "x-kept": "yes",
        "accept-encoding": "identity",
      });
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["authorization"]));
      expect(headers).not.toHaveProperty("cookie");
      expect(headers).not.toHaveProperty("x-private");
      expect(JSON.stringify({ headers, url })).not.toContain(token);
      expect(url).toMatch(/^\/base\//);
    }
  });

  it.each([
    ["no token", null],
    ["a wrong token", "assay-00000000000000000000000000000000"],
  ])("refuses %s", async (_name, token) => {
    await using sim = await simFor(`replies: [never]`);
    await using to = await gatewayTo(sim.url);
    const [path, body] = SAYS[wire]("hi");
    const reached = await post(to.url + path, body, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    expect(reached.status).toBe(401);
    expect(JSON.stringify(reached.json)).toMatch(/assay gateway: .*token/);
    expect(sim.requests).toEqual([]);
  });

  it("hides the real key in what the service says about it", async () => {
    await using service = await rawService((request, response) => {
      response.writeHead(400, { "content-type": "application/json", "set-cookie": "session=1" });
      response.end(
        JSON.stringify({ error: { message: `Incorrect key ${String(request.headers["x-api-key"])}` } }),
      );
    });
    await using to = await gatewayTo(service.url);
    const [path, body] = SAYS[wire]("hi");
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.status).toBe(400);
    expect(reached.text).toContain("Incorrect key [key]");
    expect(JSON.stringify([...reached.headers])).not.toMatch(/session|sk-real/);
  });
});

describe("a token", () => {
  it("opens one trial only, and only while it is open", async () => {
    await using sim = await simFor(`replies: [a, b]`);
    await using to = await gatewayTo(sim.url);
    const other = to.gateway.open({ trial: "case-2" });
    const [path, body] = SAYS.messages("hi");
    const crossed = await post(other.endpoint.baseUrl + path, body, { headers: to.headers });
    expect(crossed.status).toBe(401);
    expect(crossed.text).toContain("belongs to another trial");
    expect((await post(to.url + path, body, { headers: to.headers })).status).toBe(200);
    expect(to.trial.close().exchanges).toHaveLength(1);
    const late = await post(to.url + path, body, { headers: to.headers });
    expect(late.status).toBe(401);
    expect(late.text).toContain("does not belong to an open trial");
    expect(other.close().exchanges).toEqual([]);
  });
});

describe("what is asked", () => {
  it.each([
    ["HEAD", "/", 200, null],
    ["HEAD", "", 200, null],
    ["GET", "/", 200, null],
    ["GET", "/v1/models", 200, "/v1/models"],
    ["GET", "/v1/models/claude-x", 200, "/v1/models/claude-x"],
    ["GET", "/v1beta/models", 200, "/v1beta/models"],
    ["POST", "/v1/messages/count_tokens?beta=true", 200, "/v1/messages/count_tokens?beta=true"],
    ["POST", "/v1/messages?beta=true", 200, "/v1/messages?beta=true"],
    ["POST", "/chat/completions", 200, "/v1/chat/completions"],
    [
      "POST",
      "/v1beta/models/g:streamGenerateContent?alt=sse",
      200,
      "/v1beta/models/g:streamGenerateContent?alt=sse",
    ],
    ["POST", "/v1/embeddings", 404, null],
    ["POST", "/v1/responses/resp_1/cancel", 404, null],
    ["GET", "/v1/files", 404, null],
    ["DELETE", "/v1/models/m", 404, null],
  ])("%s %s gets %s", async (method, path, status, reached) => {
    const urls: string[] = [];
    await using service = await rawService((request, response) => {
      urls.push(`${request.url}`);
      response.end("{}");
    });
    await using to = await gatewayTo(service.url);
    const response = await fetch(to.url + path, {
      method,
      headers: to.headers,
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    expect(response.status).toBe(status);
    expect(urls).toEqual(reached === null ? [] : [reached]);
    expect(/assay gateway: .*is not forwarded/.test(await response.text())).toBe(status === 404);
  });

  it.each([
    ["not JSON", { body: "{nope" }, 400, /the body is not JSON/],
    ["cut short", { body: '{"model":"m"' }, 400, /the body is not JSON/],
    ["not what it is packed as", { body: "plain", encoding: "gzip" }, 400, /cannot be unpacked as gzip/],
    ["packed in an unknown way", { body: "x", encoding: "zstd" }, 415, /zstd.*not supported/],
  ])(
    "refuses a body that is %s",
    async (_name, { body, encoding = "identity" }: { body: string; encoding?: string }, status, message) => {
      await using sim = await simFor(`replies: [never]`);
      await using to = await gatewayTo(sim.url);
      const response = await fetch(`${to.url}/v1/messages`, {
        method: "POST",
        headers: { ...to.headers, "content-encoding": encoding },
        body,
      });
      expect(response.status).toBe(status);
      expect(await response.text()).toMatch(message);
      expect(sim.requests).toEqual([]);
    },
  );

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("reads a body packed with %s and passes it on as it is", async (encoding, pack) => {
    const received: { encoding: unknown; sha: string }[] = [];
    await using service = await rawService((request, response) => {
      void (async () => {
        const sha = sha256(await bodyOf(request));
        received.push({ encoding: request.headers["content-encoding"], sha });
        response.end("{}");
      })();
    });
    await using to = await gatewayTo(service.url);
    const packed = pack(JSON.stringify({ model: "packed-model", max_tokens: 3, messages: [] }));
    const response = await fetch(`${to.url}/v1/messages`, {
      method: "POST",
      headers: { ...to.headers, "content-encoding": encoding },
      body: new Uint8Array(packed),
    });
    expect(response.status).toBe(200);
    expect(received).toEqual([{ encoding, sha: sha256(packed) }]);
    expect(Object.keys(to.trial.close().models)).toEqual(["packed-model"]);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("unpacks and meters a reply that comes packed with %s", async (encoding, pack) => {
    const reply = JSON.stringify({ model: "m", usage: { input_tokens: 7, output_tokens: 3 }, content: [] });
    await using service = await rawService((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
      response.end(pack(reply));
    });
    await using to = await gatewayTo(service.url);
    const [path, body] = SAYS.messages("hi");
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.text).toBe(reply);
    expect(to.trial.close().usage).toMatchObject({ inputTokens: 7, outputTokens: 3, costUsd: null });
  });

  it("takes a large body", async () => {
    let received = "";
    await using service = await rawService((request, response) => {
      void (async () => {
        received = sha256(await bodyOf(request));
        response.end("{}");
      })();
    });
    await using to = await gatewayTo(service.url);
    const body = JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "ü".repeat(12_000_000) }],
    });
    const response = await fetch(`${to.url}/v1/messages`, { method: "POST", headers: to.headers, body });
    expect(response.status).toBe(200);
    expect(received).toBe(sha256(Buffer.from(body)));
  });

  it("says so when headers have no end, and when it is not HTTP", async () => {
    await using sim = await simFor(`replies: [still here]`);
    await using to = await gatewayTo(sim.url);
    const long = await rawText(
      to.gateway.port,
      `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`,
    );
    expect(long).toMatch(/^HTTP\/1\.1 431 [\s\S]*assay gateway: the headers are longer than 65536 bytes/);
    const noise = await rawText(to.gateway.port, "hello?\r\n\r\n");
    expect(noise).toMatch(/^HTTP\/1\.1 400 [\s\S]*assay gateway: this is not HTTP/);
    const [path, body] = SAYS.messages("hi");
    expect((await post(to.url + path, body, { headers: to.headers })).text).toContain("still here");
  });
});

/** The server counts its answers; two answers differ in that alone. */
function withoutSerial(text: string): string {
  return text.replaceAll(/(msg|resp|chatcmpl|rs|fc)[-_][\w-]+|"responseId":"[^"]*"/g, "$1");
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** `fetch` refuses to send some of the headers that must be tried. */
function rawPost(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const { port, pathname, search } = new URL(url);
  const lines = Object.entries({ ...headers, "content-length": String(body.length) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return rawText(
    Number(port),
    `POST ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n${lines.join("\r\n")}\r\n\r\n${body}`,
  );
}

function rawText(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (/^HTTP\/1\.1 \d+[\s\S]*\r\n\r\n[\s\S]+/.test(text)) socket.end();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", (error: NodeJS.ErrnoException) => (text === "" ? reject(error) : resolve(text)));
  });
}
