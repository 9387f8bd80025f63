import { describe, expect, it } from "vitest";
import { simFor } from "./test-client.ts";
import { MESSAGES_PATH, HELLO } from "./fixtures/requests.ts";

describe("delays", () => {
  it("come before the headers and between the chunks", async () => {
    await using sim = await simFor(`[{ reply: x, fault: { delayMs: 120, chunkDelayMs: 30 } }]`);
    const started = performance.now();
    const response = await fetch(sim.url + MESSAGES_PATH, {
      method: "POST",
      body: JSON.stringify({ ...HELLO, stream: true }),
    });
    const headers = performance.now() - started;
    const text = await response.text();
    const chunks = text.match(/^data: /gm)?.length ?? 0;
    expect(headers).toBeGreaterThan(100);
    expect(performance.now() - started - headers).toBeGreaterThan((chunks - 2) * 25);
  });
});
