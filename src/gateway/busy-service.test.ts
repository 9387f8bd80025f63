import { describe, expect, it } from "vitest";
import type { FaultInjector } from "./faults.ts";
import { post, SAYS, simFor } from "./sim/test-client.ts";
import { fakeClock, gatewayTo, rawService, REAL_KEY } from "./test-gateway.ts";

const WIRES = ["messages", "responses", "chat", "gemini"] as const;
const FINAL = { messages: 410, responses: 400, chat: 400, gemini: 400 } as const;

/** Fails the first attempts of every call. */
function failing(
  times: number,
  status: number,
  more: { headers?: Record<string, string>; text?: string } = {},
): FaultInjector {
  return ({ attempt }) => (attempt <= times ? { effect: { kind: "status", status, ...more } } : null);
}

describe.each(WIRES)("a busy service over %s", (wire) => {
  it.each([429, 529])("is asked again after a %s, and the client never sees it", async (status) => {
    await using sim = await simFor(`replies: [at last]`);
    const clock = fakeClock();
    await using to = await gatewayTo(sim.url, { clock, random: () => 0, faults: failing(3, status) });
    const [path, body] = SAYS[wire]("hi", true);
    const asking = post(to.url + path, body, { headers: to.headers });
    await until(() => to.gateway.limits()["upstream"]?.limited === 1);
    expect(to.gateway.limits()["upstream"]).toMatchObject({
      limit: 16,
      inFlight: 0,
      cooling: true,
      pausedMs: 0,
    });
    // Half of 1, 2 and 4 seconds, because the dice always show their lowest.
    for (const pause of [500, 1_000, 2_000]) {
      await advanceReal(clock, pause);
    }
    const reached = await asking;
    expect(reached.status).toBe(200);
    expect(reached.text).toContain("at last");
    const { exchanges, errors, stopped } = to.trial.close();
    expect(exchanges).toMatchObject([{ attempts: 4, status: 200, end: "complete" }]);
    expect(exchanges[0]!.heldMs).toBeGreaterThanOrEqual(3_500);
    expect(errors).toEqual({ [status]: 3 });
    expect(stopped).toBeNull();
  });

  it("is not bothered by anybody for as long as its retry-after says", async () => {
    await using sim = await simFor(`replies: [at last, another]`);
    const clock = fakeClock();
    const faults: FaultInjector = ({ call, attempt }) =>
      call.ordinal === 0 && attempt === 1
        ? { effect: { kind: "status", status: 429, headers: { "retry-after": "30" } } }
        : null;
    await using to = await gatewayTo(sim.url, { clock, faults });
    const [path, body] = SAYS[wire]("hi");
    const first = post(to.url + path, body, { headers: to.headers });
    await until(() => to.gateway.limits()["upstream"]?.pausedMs === 30_000);
    const second = post(to.url + path, body, { headers: to.headers });
    await until(() => to.gateway.limits()["upstream"]?.waiting === 2);
    await advanceReal(clock, 29_999);
    expect(sim.requests).toHaveLength(0);
    await advanceReal(clock, 1);
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(to.trial.close().exchanges.map(({ heldMs }) => heldMs)).toEqual([30_000, 30_000]);
  });

  it("ends the client at once when it stays busy", async () => {
    await using sim = await simFor(`replies: [never]`);
    const clock = fakeClock();
    const text = '{"error":{"message":"Number of requests has exceeded your rate limit"}}';
    await using to = await gatewayTo(sim.url, {
      clock,
      faults: failing(Infinity, 429, { text }),
      patience: { attempts: 3 },
    });
    const [path, body] = SAYS[wire]("hi");
    const asking = post(to.url + path, body, { headers: to.headers });
    await until(() => to.gateway.limits()["upstream"]?.limited === 1);
    await advanceReal(clock, 1_000);
    await advanceReal(clock, 2_000);
    const reached = await asking;
    expect(reached.status).toBe(FINAL[wire]);
    expect(reached.headers.get("x-should-retry")).toBe("false");
    expect(reached.text).toContain(
      "the model service upstream answered 429: Number of requests has exceeded",
    );
    const traffic = to.trial.close();
    expect(traffic.stopped).toMatchObject({ status: "rate-limit" });
    expect(traffic.exchanges).toMatchObject([{ attempts: 3, status: 429, end: "failed", usage: null }]);
  });

  it("is not waited for when it asks for more patience than there is", async () => {
    await using sim = await simFor(`replies: [never]`);
    const faults = failing(Infinity, 429, { headers: { "retry-after": "3600" } });
    await using to = await gatewayTo(sim.url, { clock: fakeClock(), faults });
    const [path, body] = SAYS[wire]("hi");
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.status).toBe(FINAL[wire]);
    const next = await post(to.url + path, body, { headers: to.headers });
    expect(next.text).toContain("asked for a pause of 3600 s, which is too long to wait");
    expect(to.trial.close().exchanges.map(({ attempts }) => attempts)).toEqual([1, 0]);
  });

  it.each([
    [
      "a spend limit",
      429,
      '{"error":{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"},"message":"Spend limit"}}',
      "budget",
    ],
    [
      "an empty quota",
      429,
      '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      "budget",
    ],
    ["a wrong key", 401, `{"error":{"message":"invalid key ${REAL_KEY}"}}`, "auth"],
  ] as const)("is not asked again after %s", async (_name, status, text, reason) => {
    await using sim = await simFor(`replies: [never]`);
    await using to = await gatewayTo(sim.url, {
      faults: failing(Infinity, status, { text, headers: { "retry-after": "1" } }),
    });
    const [path, body] = SAYS[wire]("hi");
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.status).toBe(FINAL[wire]);
    expect(reached.text).not.toContain(REAL_KEY);
    const traffic = to.trial.close();
    expect(traffic.exchanges).toMatchObject([{ attempts: 1, status }]);
    expect(traffic.stopped).toMatchObject({ status: reason });
    expect(JSON.stringify(traffic)).not.toContain(REAL_KEY);
  });

  it.each([400, 403, 404, 500, 503])(
    "has its %s passed on as it is, for the client to judge",
    async (status) => {
      await using sim = await simFor(`[{ fault: { status: ${status}, message: scripted words } }]`);
      await using to = await gatewayTo(sim.url);
      const [path, body] = SAYS[wire]("hi");
      const direct = await post(sim.url + path, body);
      const reached = await post(to.url + path, body, { headers: to.headers });
      expect(reached.status).toBe(status);
      expect(reached.text).toBe(direct.text);
      expect(to.trial.close()).toMatchObject({
        errors: { [status]: 1 },
        exchanges: [{ attempts: 1, end: "failed" }],
      });
    },
  );
});

describe("an error in the middle of a stream", () => {
  it.each([
    ["overloaded_error", 16],
    ["api_error", 20],
  ])("%s leaves a limit of %i", async (type, limit) => {
    await using sim = await simFor(`[{ fault: { errorEvent: ${type}, message: busy now } }]`);
    await using to = await gatewayTo(sim.url);
    const [path, body] = SAYS.messages("hi", true);
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.text).toContain("busy now");
    expect(to.gateway.limits()["upstream"]).toMatchObject({ limit, inFlight: 0 });
    expect(Object.keys(to.trial.close().errors)).toEqual(["in-stream"]);
  });
});

describe("a service that cannot be reached", () => {
  it("is named with the reason, and costs nothing", async () => {
    const gone = await rawService((_request, response) => response.end());
    await gone[Symbol.asyncDispose]();
    await using to = await gatewayTo(gone.url, { budget: { maxCostUsd: null, maxTokens: 1_000_000 } });
    const [path, body] = SAYS.messages("hi");
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.status).toBe(502);
    expect(reached.text).toMatch(
      /assay gateway: the model service upstream cannot be reached: .*ECONNREFUSED/,
    );
    expect(to.trial.close()).toMatchObject({
      errors: { network: 1 },
      exchanges: [{ end: "failed", status: null }],
    });
    expect(to.gateway.budget()).toMatchObject({ spent: { tokens: 0 }, reserved: { tokens: 0 } });
  });

  it("is used again over a new connection when the kept one was closed", async () => {
    let served = 0;
    await using service = await rawService((request, response) => {
      served++;
      request.resume();
      response.end("{}");
      // The connection is closed while the gateway believes that it is kept.
      if (served === 1) setTimeout(() => request.socket.destroy(), 20);
    });
    await using to = await gatewayTo(service.url);
    const [path, body] = SAYS.messages("hi");
    for (let count = 0; count < 3; count++) {
      expect((await post(to.url + path, body, { headers: to.headers })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 20 - count * 10));
    }
  });
});

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 2, timeout: 5_000 }).toBe(true);
}

/** The clock is ours, but bytes take real time; what they set off comes before and after the step. */
async function advanceReal(clock: ReturnType<typeof fakeClock>, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30));
  await clock.advance(ms);
  await new Promise((resolve) => setTimeout(resolve, 30));
}
