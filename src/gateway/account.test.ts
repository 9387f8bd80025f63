import { describe, expect, it } from "vitest";
import { openAccount } from "./account.ts";
import { createBudget } from "./budget.ts";
import type { ModelCall } from "./call.ts";
import { adaptiveLimiter } from "./limiter.ts";
import { fakeClock } from "./test-gateway.ts";
import { trafficLog } from "./traffic.ts";

const never = new AbortController().signal;

const CALL: ModelCall = {
  trial: "t",
  endpoint: { baseUrl: "http://127.0.0.1:1/r/t", token: "x" },
  ordinal: 0,
  wire: "messages",
  operation: "answer",
  method: "POST",
  resource: "messages",
  version: "v1",
  query: "",
  headers: {},
  model: "m",
  stream: true,
  maxOutputTokens: 100,
  packed: Buffer.alloc(400),
  bytes: Buffer.alloc(400),
  json: () => ({}),
};

function books() {
  const clock = fakeClock();
  const log = trafficLog("t");
  const limiter = adaptiveLimiter(clock);
  const budget = createBudget({ maxCostUsd: null, maxTokens: 10_000 });
  return { clock, log, limiter, budget, account: openAccount(CALL, { log, clock, priceOf: () => null }) };
}

describe("an account", () => {
  it("gives straight back what it gets after it was closed", async () => {
    const { log, limiter, budget, account } = books();
    account.close("client-left");
    const held = await budget.reserve({ costUsd: 0, tokens: 500 }, never);
    if (!("refused" in held)) account.reserved(held);
    account.admitted(await limiter.acquire(never));
    account.chunk(Buffer.from("late"));
    account.close("complete");
    expect(budget.snapshot()).toMatchObject({ spent: { tokens: 0 }, reserved: { tokens: 0 } });
    expect(limiter.snapshot().inFlight).toBe(0);
    expect(log.soFar().exchanges).toMatchObject([{ end: "client-left", attempts: 0 }]);
  });

  it("measures from the last sending", async () => {
    const { clock, log, account } = books();
    await clock.advance(100);
    account.sent(1);
    await clock.advance(1_000);
    account.sent(2);
    await clock.advance(30);
    account.head(200, { "content-type": "text/event-stream" });
    account.chunk(Buffer.from('data: {"type":"message_start"}\n\n'));
    await clock.advance(20);
    account.chunk(Buffer.from('data: {"type":"content_block_delta"}\n\n'));
    await clock.advance(200);
    account.close("complete");
    expect(log.soFar().exchanges).toMatchObject([
      { heldMs: 1_100, firstTokenMs: 50, durationMs: 250, attempts: 2, status: 200 },
    ]);
  });
});
