import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Usage } from "../domain/run.ts";
import type { BudgetState } from "./budget.ts";
import { post, SAYS, simFor } from "./sim/test-client.ts";
import { bodyOf, gatewayTo, rawService } from "./test-gateway.ts";

const WIRES = ["messages", "responses", "chat", "gemini"] as const;
const FINAL = { messages: 410, responses: 400, chat: 400, gemini: 400 } as const;

/** A dollar for a thousand tokens, whatever they are; "odd" has no price. */
function priceOf(model: string, usage: Usage): number | null {
  if (model === "odd") return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return (
    [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].reduce<number>(
      (sum, n) => sum + (n ?? 0),
      0,
    ) / 1000
  );
}

describe.each(WIRES)("a spent budget over %s", (wire) => {
  it.each([
    ["--max-cost", { maxCostUsd: 0.0001, maxTokens: null }],
    ["--max-tokens", { maxCostUsd: null, maxTokens: 10 }],
  ])("ends the client at once (%s)", async (flag, budget) => {
    await using sim = await simFor(`replies: [never]`);
    await using to = await gatewayTo(sim.url, { budget, priceOf });
    const [path, body] = SAYS[wire]("hi", true);
    const reached = await post(to.url + path, body, { headers: to.headers });
    expect(reached.status).toBe(FINAL[wire]);
    expect(reached.headers.get("x-should-retry")).toBe("false");
    expect(JSON.stringify(reached.json)).toContain(`(${flag}) does not cover`);
    const traffic = to.trial.close();
    expect(traffic.stopped?.status).toBe("budget");
    expect(traffic.stopped?.message).toContain(flag);
    expect(traffic.exchanges).toMatchObject([{ end: "refused", attempts: 0, status: null }]);
    expect(traffic.unmetered).toBe(0);
    expect(to.gateway.budget().exhausted).toBe(true);
    expect(sim.requests).toEqual([]);
  });

  it("is not touched by questions about tokens", async () => {
    await using sim = await simFor(`replies: [never]`);
    await using to = await gatewayTo(sim.url, { budget: { maxCostUsd: 0, maxTokens: 0 }, priceOf });
    const reached = await post(
      `${to.url}/v1/messages/count_tokens`,
      { model: "odd" },
      { headers: to.headers },
    );
    expect(reached.status).toBe(200);
    expect(to.trial.close().exchanges).toEqual([]);
  });

  it("of money refuses a model without a price, at its first request", async () => {
    await using sim = await simFor(`replies: [never]`);
    await using to = await gatewayTo(sim.url, { budget: { maxCostUsd: 100, maxTokens: null }, priceOf });
    const [path, body] = SAYS[wire]("hi");
    const odd = JSON.parse(JSON.stringify({ ...body, model: "odd" })) as typeof body;
    const reached = await post(to.url + path.replace("/m:", "/odd:"), odd, { headers: to.headers });
    expect(reached.status).toBe(FINAL[wire]);
    expect(reached.text).toContain("no price is known for the model");
    expect(to.trial.close().stopped).toMatchObject({ status: "budget" });
  });
});

describe("what is spent", () => {
  it("is reserved before the request and settled to what the reply says, and told each time", async () => {
    await using sim = await simFor(`[{ reply: { parts: [x], usage: { input: 60, output: 40 } } }]`);
    const told: BudgetState[] = [];
    const budget = { maxCostUsd: 10, maxTokens: 5_000, onChange: (state: BudgetState) => told.push(state) };
    await using to = await gatewayTo(sim.url, { budget, priceOf });
    const [path, body] = SAYS.messages("hi");
    await post(to.url + path, { ...body, max_tokens: 1_000 }, { headers: to.headers });
    const { tokens } = told[0]!.reserved;
    expect(tokens).toBeGreaterThan(1_000);
    expect(tokens).toBeLessThan(1_100);
    expect(told).toEqual([
      { spent: { costUsd: 0, tokens: 0 }, reserved: { costUsd: tokens / 1000, tokens } },
      { spent: { costUsd: 0.1, tokens: 100 }, reserved: { costUsd: 0, tokens: 0 } },
    ]);
  });

  it("is guessed from bytes for a reply that does not tell its tokens", async () => {
    await using service = await rawService((_request, response) => response.end('{"content":[]}'));
    await using to = await gatewayTo(service.url, { budget: { maxCostUsd: null, maxTokens: 100_000 } });
    const [path, body] = SAYS.messages("hi");
    await post(to.url + path, body, { headers: to.headers });
    const input = Math.ceil(JSON.stringify(body).length / 4);
    expect(to.gateway.budget().spent.tokens).toBe(input + Math.ceil('{"content":[]}'.length / 4));
    expect(to.trial.close()).toMatchObject({ unmetered: 1, usage: { inputTokens: null, costUsd: null } });
  });

  it("is all that was reserved when a reply that is not streamed gets lost", async () => {
    await using service = await rawService((_request, response) => response.destroy());
    await using to = await gatewayTo(service.url, { budget: { maxCostUsd: null, maxTokens: 100_000 } });
    const [path, body] = SAYS.messages("hi");
    await post(to.url + path, { ...body, max_tokens: 5_000 }, { headers: to.headers });
    expect(to.gateway.budget().spent.tokens).toBeGreaterThan(5_000);
  });

  it("is nothing when the service refuses", async () => {
    await using sim = await simFor(`[{ fault: { status: 400 } }]`);
    await using to = await gatewayTo(sim.url, { budget: { maxCostUsd: null, maxTokens: 100_000 } });
    const [path, body] = SAYS.messages("hi");
    await post(to.url + path, body, { headers: to.headers });
    expect(to.gateway.budget()).toMatchObject({ spent: { tokens: 0 }, reserved: { tokens: 0 } });
  });

  it("holds a request back while others may still use up what is left, and then lets it go", async () => {
    await using sim = await simFor(
      `[{ reply: { parts: [x], usage: { input: 10, output: 10 } }, fault: { delayMs: 60 } }]`,
    );
    await using to = await gatewayTo(sim.url, { budget: { maxCostUsd: null, maxTokens: 1_300 } });
    const [path, body] = SAYS.messages("hi");
    const ask = () => post(to.url + path, { ...body, max_tokens: 1_000 }, { headers: to.headers });
    const reached = await Promise.all([ask(), ask(), ask()]);
    expect(reached.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(to.gateway.budget()).toMatchObject({ spent: { tokens: 60 }, exhausted: false });
    expect(to.trial.close().exchanges.filter(({ heldMs }) => heldMs > 30)).toHaveLength(2);
  });
});

const plan = fc.array(
  fc.record({
    most: fc.integer({ min: 1, max: 400 }),
    /** Of `most`; above 1 the service writes more than it was allowed to. */
    share: fc.double({ min: 0, max: 1.2, noNaN: true }),
    fate: fc.constantFrom("answered", "answered", "streamed", "refused", "unmetered"),
  }),
  { minLength: 5, maxLength: 40 },
);

describe("whatever the services charge", () => {
  it("never passes the cap by more than answers cost beyond their reservation", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (requests) => {
        const cap = 2_000;
        const paid = { tokens: 0, beyond: 0 };
        await using service = await rawService((request, response) => {
          void (async () => {
            const bytes = await bodyOf(request);
            const asked = JSON.parse(bytes.toString()) as { max_tokens: number; share: number; fate: string };
            const usage = { input_tokens: 5, output_tokens: Math.round(asked.max_tokens * asked.share) };
            const charged = asked.fate === "refused" ? 0 : usage.input_tokens + usage.output_tokens;
            paid.tokens += charged;
            paid.beyond += Math.max(0, charged - Math.ceil(bytes.length / 4) - asked.max_tokens);
            if (asked.fate === "refused") response.writeHead(400).end("{}");
            else if (asked.fate === "unmetered") response.end(" ".repeat(charged * 4));
            else if (asked.fate === "answered") response.end(JSON.stringify({ usage }));
            else {
              response.writeHead(200, { "content-type": "text/event-stream" });
              response.end(`data: ${JSON.stringify({ type: "message_delta", usage })}\n\n`);
            }
          })();
        });
        await using to = await gatewayTo(service.url, { budget: { maxCostUsd: null, maxTokens: cap } });
        await Promise.all(
          requests.map(({ most, share, fate }) =>
            post(
              `${to.url}/v1/messages`,
              { model: "m", max_tokens: most, stream: fate === "streamed", share, fate },
              { headers: to.headers },
            ),
          ),
        );
        expect(paid.tokens).toBeLessThanOrEqual(cap + paid.beyond);
        expect(to.gateway.budget().reserved).toEqual({ costUsd: 0, tokens: 0 });
      }),
      { numRuns: 15 },
    );
  });
});
