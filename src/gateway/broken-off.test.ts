import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import type { Fault } from "./faults.ts";
import { post, SAYS, simFor } from "./sim/test-client.ts";
import { gatewayTo, rawService } from "./test-gateway.ts";

const [PATH, BODY] = SAYS.messages("hi", true);

describe("a client that leaves", () => {
  it.each([
    ["before the first byte", false],
    ["in the middle of a stream", true],
  ])("%s ends the request to the service and gives everything back", async (_name, begun) => {
    await using service = await rawService((_request, response) => {
      response.setHeader("content-type", "text/event-stream");
      if (begun) response.write(MESSAGE_START);
    });
    await using to = await gatewayTo(service.url, { budget: { maxCostUsd: null, maxTokens: 1_000_000 } });
    const leave = new AbortController();
    const asking = fetch(to.url + PATH, {
      method: "POST",
      headers: to.headers,
      body: JSON.stringify(BODY),
      signal: leave.signal,
    });
    await expect.poll(() => service.open.size).toBe(1);
    if (begun) await (await asking).body!.getReader().read();
    leave.abort();
    await asking.catch(() => null);
    await expect.poll(() => service.open.size).toBe(0);
    await expect.poll(() => to.gateway.limits()["upstream"]?.inFlight).toBe(0);
    const traffic = to.trial.close();
    expect(traffic.exchanges).toMatchObject([
      { end: "client-left", attempts: 1, status: begun ? 200 : null },
    ]);
    // The service was told once about its input; what it wrote until then is guessed from above, never from nothing.
    const { spent, reserved } = to.gateway.budget();
    expect(reserved.tokens).toBe(0);
    expect(spent.tokens).toBeGreaterThan(begun ? 300 : 0);
  });

  it("while it is held back never reaches the service", async () => {
    let asked = 0;
    await using service = await rawService(() => asked++);
    await using to = await gatewayTo(service.url, { limits: { start: 1, floor: 1 } });
    const first = new AbortController();
    const second = new AbortController();
    const init = { method: "POST", headers: to.headers, body: JSON.stringify(BODY) };
    const asking = [first, second].map(({ signal }) =>
      fetch(to.url + PATH, { ...init, signal }).catch(() => null),
    );
    await expect.poll(() => to.gateway.limits()["upstream"]).toMatchObject({ inFlight: 1, waiting: 1 });
    second.abort();
    first.abort();
    await Promise.all(asking);
    await expect.poll(() => to.gateway.limits()["upstream"]).toMatchObject({ inFlight: 0, waiting: 0 });
    expect(asked).toBe(1);
  });

  it("in the middle of its own request leaves nothing behind", async () => {
    await using service = await rawService((_request, response) => response.end("{}"));
    await using to = await gatewayTo(service.url);
    const half = httpRequest(to.url + PATH, {
      method: "POST",
      headers: { ...to.headers, "content-length": 1000 },
    });
    half.on("error", () => null);
    half.write('{"model":');
    await new Promise((resolve) => setTimeout(resolve, 50));
    half.destroy();
    expect((await post(to.url + PATH, BODY, { headers: to.headers })).status).toBe(200);
    expect(to.trial.close().exchanges).toHaveLength(1);
  });
});

const MESSAGE_START = `event: message_start\ndata: ${JSON.stringify({
  type: "message_start",
  message: { model: "m", usage: { input_tokens: 300, output_tokens: 1 } },
})}\n\n`;

describe("a trial that is closed", () => {
  it("breaks off what is under way and counts what was seen of it", async () => {
    await using service = await rawService((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(MESSAGE_START);
    });
    await using to = await gatewayTo(service.url);
    const response = await fetch(to.url + PATH, {
      method: "POST",
      headers: to.headers,
      body: JSON.stringify(BODY),
    });
    const reader = response.body!.getReader();
    await reader.read();
    const traffic = to.trial.close();
    expect(traffic.usage).toMatchObject({ inputTokens: 300, outputTokens: 1 });
    expect(traffic.exchanges).toMatchObject([{ end: "client-left" }]);
    await expect(reader.read()).rejects.toThrow(/terminated/);
    await expect.poll(() => service.open.size).toBe(0);
    expect(to.gateway.limits()["upstream"]?.inFlight).toBe(0);
    expect(to.trial.traffic().exchanges).toHaveLength(1);
  });

  it("with the gateway leaves no connection open", async () => {
    await using service = await rawService((_request, response) => response.write("data: x\n\n"));
    const to = await gatewayTo(service.url);
    const init = { method: "POST", headers: to.headers, body: JSON.stringify(BODY) };
    const streams = await Promise.all(Array.from({ length: 5 }, () => fetch(to.url + PATH, init)));
    const ends = streams.map((stream) => stream.text().catch(() => "cut"));
    await to.gateway.close();
    await to.gateway.close();
    expect(await Promise.all(ends)).toEqual(Array(5).fill("cut"));
    await expect.poll(() => service.open.size).toBe(0);
    await expect(fetch(to.url + PATH, init)).rejects.toThrow(/fetch failed/);
  });
});

describe("a service that breaks off", () => {
  it.each([
    ["drops the connection before a word", { drop: true }, null, /cannot be reached: .*socket hang up/],
    ["cuts its stream", { cutAfter: 2 }, 200, /terminated/],
  ])("%s", async (_name, fault, status, message) => {
    await using sim = await simFor(
      `[{ reply: words, fault: ${JSON.stringify(fault)}, times: 1 }, { reply: after }]`,
    );
    await using to = await gatewayTo(sim.url);
    const told = await post(to.url + PATH, BODY, { headers: to.headers }).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    expect(told).toMatch(message);
    expect((await post(to.url + PATH, BODY, { headers: to.headers })).text).toContain("after");
    expect(to.trial.close().exchanges).toMatchObject([{ end: "cut", status }, { end: "complete" }]);
    expect(to.gateway.limits()["upstream"]).toMatchObject({ limit: 20, inFlight: 0 });
  });

  it("never answers: the client is told after a while", async () => {
    await using service = await rawService(() => null);
    await using to = await gatewayTo(service.url, { patience: { answerMs: 60 } });
    const reached = await post(to.url + PATH, BODY, { headers: to.headers });
    expect(reached.status).toBe(504);
    expect(reached.text).toContain("the model service upstream did not answer within 0.06 s");
    await expect.poll(() => service.open.size).toBe(0);
  });

  it("falls silent in its stream: the client is cut off after a while", async () => {
    await using sim = await simFor(`[{ reply: words, fault: { stall: true } }]`);
    await using to = await gatewayTo(sim.url, { patience: { idleMs: 60 } });
    await expect(post(to.url + PATH, BODY, { headers: to.headers })).rejects.toThrow(/terminated/);
    await expect.poll(() => sim.requests[0]?.end).toBe("client-left");
    expect(to.trial.close().exchanges).toMatchObject([{ end: "cut" }]);
  });

  it("is slow but not silent: the stream goes on", async () => {
    await using sim = await simFor(`[{ reply: words, fault: { chunkDelayMs: 40 } }]`);
    await using to = await gatewayTo(sim.url, { patience: { idleMs: 400 } });
    expect((await post(to.url + PATH, BODY, { headers: to.headers })).events.length).toBeGreaterThan(4);
  });
});

describe("injected faults", () => {
  it.each<[string, Fault, RegExp]>([
    ["a status", { effect: { kind: "status", status: 503, text: "scripted words" } }, /^503 scripted words$/],
    [
      "a lost connection",
      { effect: { kind: "drop" } },
      /^502 .*cannot be reached: the connection was lost \(injected\)/,
    ],
    ["a cut", { effect: { kind: "cut", afterBytes: 20 } }, /terminated/],
    ["a stall", { effect: { kind: "stall", afterBytes: 20 } }, /terminated/],
    ["slow pieces", { delayMs: 20, chunkDelayMs: 5 }, /^200 event: message_start/],
  ])("%s", async (_name, fault, told) => {
    await using sim = await simFor(`replies: [words]`);
    await using to = await gatewayTo(sim.url, { faults: () => fault, patience: { idleMs: 100 } });
    const reached = await post(to.url + PATH, BODY, { headers: to.headers }).then(
      ({ status, text }) => `${status} ${text}`,
      (error: Error) => error.message,
    );
    expect(reached).toMatch(told);
    expect(to.gateway.limits()["upstream"]?.inFlight).toBe(0);
  });
});

describe("many at once", () => {
  it("get their own answers, whole and in order: 64 clients", async () => {
    await using service = await rawService((request, response) => {
      void (async () => {
        const mark = request.headers["x-mark"] as string;
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of piecesOf(mark)) {
          if (!response.write(piece)) await once(response, "drain");
          await new Promise(setImmediate);
        }
        response.end();
      })();
    });
    await using to = await gatewayTo(service.url, { limits: { start: 64 } });
    const other = to.gateway.open({ trial: "other" });
    const ask = async (index: number): Promise<boolean> => {
      const { endpoint } = index % 2 === 0 ? to.trial : other;
      const response = await fetch(endpoint.baseUrl + PATH, {
        method: "POST",
        headers: { "x-api-key": endpoint.token, "x-mark": `client ${index}` },
        body: JSON.stringify(BODY),
      });
      const got = createHash("sha256")
        .update(await response.text())
        .digest("hex");
      return (
        got ===
        createHash("sha256")
          .update(piecesOf(`client ${index}`).join(""))
          .digest("hex")
      );
    };
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => [await ask(index), await ask(index + 1000)]),
    );
    expect(answers.flat().filter((same) => !same)).toEqual([]);
    expect([to.trial.close().exchanges.length, other.close().exchanges.length]).toEqual([64, 64]);
  });
});

function piecesOf(mark: string): readonly string[] {
  return Array.from(
    { length: 12 },
    (_, index) => `data: {"mark":"${mark}","index":${index},"pad":"${"x".repeat(index * 200)}"}\n\n`,
  );
}

describe("a slow reader", () => {
  it("slows the service down instead of filling memory", async () => {
    let written = 0;
    const piece = Buffer.alloc(64 * 1024, "x");
    await using service = await rawService((_request, response) => {
      void (async () => {
        while (written < 512 * 1024 * 1024) {
          written += piece.length;
          if (!response.write(piece)) await once(response, "drain");
        }
      })();
    });
    await using to = await gatewayTo(service.url);
    const client = httpRequest(to.url + PATH, { method: "POST", headers: to.headers });
    client.on("error", () => null);
    client.end(JSON.stringify(BODY));
    const [response] = (await once(client, "response")) as [IncomingMessage];
    response.on("error", () => null);
    response.pause();
    await expect.poll(async () => settled(() => written), { timeout: 10_000 }).toBe(true);
    // Sockets hold a few megabytes between them; a gateway that buffers would have taken everything.
    expect(written).toBeLessThan(64 * 1024 * 1024);
    client.destroy();
    await expect.poll(() => service.open.size).toBe(0);
  });
});

async function settled(value: () => number): Promise<boolean> {
  const before = value();
  await new Promise((resolve) => setTimeout(resolve, 200));
  return before > 0 && value() === before;
}
