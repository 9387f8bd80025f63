import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { SAYS } from "./sim/test-client.ts";
import { gatewayTo, rawService } from "./test-gateway.ts";

const [PATH, BODY] = SAYS.messages("hi", true);
const GIGABYTE = 1024 ** 3;
const MEGABYTE = 1024 ** 2;

const EVENT = `event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"${"word ".repeat(180)}"}}\n\n`;

describe("a reply of one gigabyte", () => {
  it.each([
    ["text/event-stream", "of one line"],
    ["text/event-stream", "of many lines"],
    ["application/json", "of no sense"],
  ])("passes in little memory: %s %s", async (type, shape) => {
    const piece = Buffer.alloc(64 * 1024, shape === "of many lines" ? EVENT : "x");
    await using service = await rawService((_request, response) => {
      void (async () => {
        response.writeHead(200, { "content-type": type });
        for (let sent = 0; sent < GIGABYTE; sent += piece.length) {
          if (!response.write(piece)) await once(response, "drain");
        }
        response.end();
      })();
    });
    await using to = await gatewayTo(service.url);
    const client = httpRequest(to.url + PATH, { method: "POST", headers: to.headers });
    client.end(JSON.stringify(BODY));
    const [response] = (await once(client, "response")) as [IncomingMessage];
    let bytes = 0;
    let highest = 0;
    const before = process.memoryUsage().rss;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes % (16 * MEGABYTE) < chunk.length) highest = Math.max(highest, process.memoryUsage().rss);
    }
    expect(bytes).toBe(GIGABYTE);
    // Service and client are in this process too, and up to 32 MB are kept to find token counts.
    expect(highest - before).toBeLessThan(300 * MEGABYTE);
    expect(to.trial.close()).toMatchObject({ unmetered: 1, exchanges: [{ end: "complete", usage: null }] });
  });
});

describe("64 clients and 2,000 streams", () => {
  it("are neither mixed up nor remembered", async () => {
    const said = (mark: string): string[] =>
      Array.from({ length: 30 }, (_, index) => `data: {"mark":"${mark}","index":${index}}\n\n`);
    await using service = await rawService((request, response) => {
      void (async () => {
        request.resume();
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of said(String(request.headers["x-mark"]))) {
          response.write(event);
          await new Promise(setImmediate);
        }
        response.end();
      })();
    });
    await using to = await gatewayTo(service.url, { limits: { start: 64 } });
    let next = 0;
    let wrong = 0;
    const client = async (): Promise<void> => {
      while (next < 2_000) {
        const mark = `m${next++}`;
        const response = await fetch(to.url + PATH, {
          method: "POST",
          headers: { ...to.headers, "x-mark": mark },
          body: JSON.stringify({ ...BODY, padding: "x".repeat(20_000) }),
        });
        if (sha256(await response.text()) !== sha256(said(mark).join(""))) wrong++;
      }
    };
    await Promise.all(Array.from({ length: 64 }, client));
    expect(wrong).toBe(0);
    expect(to.gateway.limits()["upstream"]).toMatchObject({ inFlight: 0, waiting: 0 });
    expect(to.trial.close().exchanges).toHaveLength(2_000);
  });
});

describe("500 clients that leave", () => {
  it("leave nothing behind", async () => {
    await using service = await rawService((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: {}\n\n");
    });
    await using to = await gatewayTo(service.url, { budget: { maxCostUsd: null, maxTokens: 1e9 } });
    const leaver = async (index: number): Promise<void> => {
      const leave = new AbortController();
      const asking = fetch(to.url + PATH, {
        method: "POST",
        headers: to.headers,
        body: JSON.stringify(BODY),
        signal: leave.signal,
      });
      setTimeout(() => leave.abort(), index % 40);
      await asking.then((response) => response.text()).catch(() => null);
    };
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => leaver(index)));
    }
    await expect.poll(() => service.open.size, { timeout: 5_000 }).toBe(0);
    await expect.poll(() => to.gateway.limits()["upstream"]).toMatchObject({ inFlight: 0, waiting: 0 });
    expect(to.gateway.budget().reserved).toEqual({ costUsd: 0, tokens: 0 });
  });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
