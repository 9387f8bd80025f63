import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import { UserError } from "../domain/user-error.ts";
import { startGateway } from "./gateway.ts";
import { post, SAYS, simFor } from "./sim/test-client.ts";
import { rawService, upstreamAt } from "./test-gateway.ts";
import { targetOf } from "./upstream.ts";

describe("set-up", () => {
  it("is told when the port is taken", async () => {
    await using service = await rawService((_request, response) => response.end());
    const port = Number(new URL(service.url).port);
    const started = startGateway({ upstreams: [], port });
    await expect(started).rejects.toThrow(UserError);
    await expect(started).rejects.toThrow(/127\.0\.0\.1:\d+: the port is in use/);
  });

  it("listens on loopback only", async () => {
    await using gateway = await startGateway({ upstreams: [] });
    expect(gateway.open({ trial: "t" }).endpoint.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/r\/\w+$/);
  });

  it.each(["", "localhost:11434", "ftp://x", "not a url"])("refuses the address %j", async (baseUrl) => {
    await expect(startGateway({ upstreams: [upstreamAt(baseUrl)] })).rejects.toThrow(/not an http address/);
  });

  it("sends each dialect to the first service that speaks it, or to the one that was named", async () => {
    await using first = await simFor(`replies: [from the first]`);
    await using second = await simFor(`replies: [from the second]`);
    await using gateway = await startGateway({
      upstreams: [
        upstreamAt(first.url, { name: "one", wires: ["messages", "chat"] }),
        upstreamAt(second.url, { name: "two", wires: ["chat"] }),
      ],
    });
    const ask = async (wire: "chat" | "gemini", upstream: string | null) => {
      const { endpoint } = gateway.open({ trial: "t", upstream });
      const [path, body] = SAYS[wire]("hi");
      return post(endpoint.baseUrl + path, body, { headers: { "x-api-key": endpoint.token } });
    };
    expect((await ask("chat", null)).text).toContain("from the first");
    expect((await ask("chat", "two")).text).toContain("from the second");
    const unspoken = await ask("gemini", null);
    expect(unspoken.status).toBe(404);
    expect(unspoken.text).toContain(
      "no model service for gemini is set up; available: one (messages, chat), two (chat)",
    );
    expect(() => gateway.open({ trial: "t", upstream: "three" })).toThrow(/no model service called "three"/);
  });

  it("refuses a model without a price when money is limited", async () => {
    const budget = { maxCostUsd: 1, maxTokens: null };
    await using gateway = await startGateway({
      upstreams: [],
      budget,
      priceOf: (model) => (model === "known" ? 1 : null),
    });
    expect(() => gateway.open({ trial: "t", model: "odd" })).toThrow(/no price is known for the model "odd"/);
    expect(gateway.open({ trial: "t", model: "known" }).close().usage).toEqual(UNKNOWN_USAGE);
  });
});

describe("the address of a request", () => {
  const messages = { wire: "messages", resource: "messages", version: "v1", query: "?beta=true" } as const;
  const chat = { wire: "chat", resource: "chat/completions", version: "v1", query: "" } as const;
  const gemini = {
    wire: "gemini",
    resource: "models/g:generateContent",
    version: "v1beta",
    query: "",
  } as const;

  it.each([
    ["https://api.anthropic.com", messages, "https://api.anthropic.com/v1/messages?beta=true"],
    ["https://api.anthropic.com/v1/", messages, "https://api.anthropic.com/v1/messages?beta=true"],
    ["https://host/anthropic", messages, "https://host/anthropic/v1/messages?beta=true"],
    ["https://api.openai.com/v1", chat, "https://api.openai.com/v1/chat/completions"],
    ["http://localhost:11434", chat, "http://localhost:11434/v1/chat/completions"],
    ["https://host/v1beta/openai", chat, "https://host/v1beta/openai/chat/completions"],
    ["https://host/api/paas/v4/", chat, "https://host/api/paas/v4/chat/completions"],
    [
      "https://generativelanguage.googleapis.com",
      gemini,
      "https://generativelanguage.googleapis.com/v1beta/models/g:generateContent",
    ],
    ["https://host/v1", gemini, "https://host/v1/models/g:generateContent"],
  ])("at %s", (baseUrl, call, url) => {
    expect(targetOf(upstreamAt(baseUrl), call).href).toBe(url);
  });
});
