import { describe, expect, it } from "vitest";
import type { ExchangeEnd, ModelCall, Tape } from "./call.ts";
import { post, SAYS, simFor } from "./sim/test-client.ts";
import { gatewayTo, rawService, REAL_KEY, upstreamAt } from "./test-gateway.ts";
import { startGateway } from "./gateway.ts";

const WIRES = ["messages", "responses", "chat", "gemini"] as const;

interface Seen {
  readonly call: ModelCall;
  status: number | null;
  text: string;
  chunks: number;
  end: ExchangeEnd | null;
}

/** Keeps what it sees. */
function recorder(): { tape: Tape; seen: Seen[] } {
  const seen: Seen[] = [];
  const tape: Tape = {
    observe(call) {
      const one: Seen = { call, status: null, text: "", chunks: 0, end: null };
      seen.push(one);
      return {
        head(status) {
          one.status = status;
        },
        chunk(bytes) {
          one.text += bytes.toString();
          one.chunks++;
        },
        end(how) {
          one.end = how;
        },
      };
    },
  };
  return { tape, seen };
}

describe.each(WIRES)("a tape over %s", (wire) => {
  it("sees each request without keys, and each reply as the client gets it", async () => {
    await using sim = await simFor(`replies: ["${"some words ".repeat(20)}"]`);
    await using gateway = await startGateway({ upstreams: [upstreamAt(sim.url)] });
    const { tape, seen } = recorder();
    const trial = gateway.open({ trial: "case-1", tape });
    const [path, body] = SAYS[wire]("hi", true);
    const headers = { authorization: `Bearer ${trial.endpoint.token}`, "x-client": "claude" };
    const reached = await post(trial.endpoint.baseUrl + path, body, { headers });
    const again = await post(trial.endpoint.baseUrl + path, body, { headers });
    expect(seen.map(({ text }) => text)).toEqual([reached.text, again.text]);
    expect(seen).toMatchObject([
      { status: 200, end: "complete", call: { ordinal: 0 } },
      { status: 200, end: "complete", call: { ordinal: 1 } },
    ]);
    const { call } = seen[0]!;
    expect(call).toMatchObject({
      trial: "case-1",
      wire,
      operation: "answer",
      model: "m",
      stream: true,
    });
    expect(call.json()).toEqual(body);
    expect(call.headers).toMatchObject({ "x-client": "claude" });
    expect(call.endpoint).toEqual(trial.endpoint);
    expect(JSON.stringify([call.headers, call.query])).not.toContain(trial.endpoint.token);
    expect(JSON.stringify(seen)).not.toContain(REAL_KEY);
  });

  it("answers instead of the service: no key, no connection, no budget, and still metered", async () => {
    await using sim = await simFor(`[{ reply: { parts: [recorded], usage: { input: 9, output: 4 } } }]`);
    await using recording = await gatewayTo(sim.url);
    const [path, body] = SAYS[wire]("hi", true);
    const asked = wire === "chat" ? { ...body, stream_options: { include_usage: true } } : body;
    const first = await post(recording.url + path, asked, { headers: recording.headers });
    const usage = recording.trial.close().usage;
    await sim.close();

    await using gateway = await startGateway({
      upstreams: [upstreamAt("http://127.0.0.1:9", { key: null })],
      budget: { maxCostUsd: 0, maxTokens: 0 },
    });
    const tape: Tape = {
      answer: async () => ({
        status: 200,
        headers: { "content-type": "text/event-stream" },
        body: Buffer.from(first.text),
      }),
    };
    const trial = gateway.open({ trial: "replayed", tape });
    const reached = await post(trial.endpoint.baseUrl + path, asked, {
      headers: { authorization: `Bearer ${trial.endpoint.token}` },
    });
    expect(reached.text).toBe(first.text);
    const traffic = trial.close();
    expect(traffic).toMatchObject({ usage, replayed: 1, unmetered: 0, stopped: null });
    expect(traffic.exchanges).toMatchObject([{ attempts: 0, replayed: true, end: "complete", status: 200 }]);
    expect(gateway.budget()).toMatchObject({ spent: { tokens: 0 }, exhausted: false });
  });
});

describe("a tape", () => {
  const [path, body] = SAYS.messages("hi", true);

  it("may leave single requests to the service, and answers counts and lists too", async () => {
    await using sim = await simFor(`replies: [live]`);
    await using gateway = await startGateway({ upstreams: [upstreamAt(sim.url)] });
    const operations: string[] = [];
    const tape: Tape = {
      async answer({ operation }) {
        operations.push(operation);
        return operation === "answer" ? null : { status: 200, headers: {}, body: pieces(operation) };
      },
    };
    const { endpoint } = gateway.open({ trial: "t", tape });
    const headers = { "x-api-key": endpoint.token };
    expect((await post(endpoint.baseUrl + path, body, { headers })).text).toContain("live");
    expect((await post(`${endpoint.baseUrl}/v1/messages/count_tokens`, {}, { headers })).text).toBe("count!");
    expect(await (await fetch(`${endpoint.baseUrl}/v1/models`, { headers })).text()).toBe("models!");
    expect(operations).toEqual(["answer", "count", "models"]);
    expect(sim.requests).toHaveLength(1);
  });

  it("that fails says so to the client, and the service is not asked", async () => {
    await using sim = await simFor(`replies: [never]`);
    await using gateway = await startGateway({ upstreams: [upstreamAt(sim.url)] });
    const tape: Tape = {
      answer: () => Promise.reject(new Error("replay miss at turn 1: skill body changed")),
    };
    const { endpoint } = gateway.open({ trial: "t", tape });
    const reached = await post(endpoint.baseUrl + path, body, { headers: { "x-api-key": endpoint.token } });
    expect(reached.status).toBe(410);
    expect(reached.headers.get("x-should-retry")).toBe("false");
    expect(reached.text).toContain("replay miss at turn 1: skill body changed");
    expect(sim.requests).toEqual([]);
  });

  it.each([
    ["cut", "cutAfter: 2"],
    ["cut", "stall: true"],
  ])("is told that a reply was %s (%s)", async (end, fault) => {
    await using sim = await simFor(`[{ reply: words, fault: { ${fault} } }]`);
    await using gateway = await startGateway({ upstreams: [upstreamAt(sim.url)], patience: { idleMs: 50 } });
    const { tape, seen } = recorder();
    const { endpoint } = gateway.open({ trial: "t", tape });
    await expect(
      post(endpoint.baseUrl + path, body, { headers: { "x-api-key": endpoint.token } }),
    ).rejects.toThrow(/terminated/);
    expect(seen).toMatchObject([{ status: 200, end }]);
  });

  it("does not see what was refused and asked again", async () => {
    await using sim = await simFor(`replies: [fine]`);
    await using gateway = await startGateway({
      upstreams: [upstreamAt(sim.url)],
      faults: ({ attempt }) =>
        attempt === 1 ? { effect: { kind: "status", status: 429, headers: { "retry-after": "0" } } } : null,
    });
    const { tape, seen } = recorder();
    const { endpoint } = gateway.open({ trial: "t", tape });
    await post(endpoint.baseUrl + path, body, { headers: { "x-api-key": endpoint.token } });
    expect(seen).toMatchObject([{ status: 200, end: "complete" }]);
  });
});

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
  await Promise.resolve();
  yield Buffer.from("!");
}

describe("the skills that the model was offered", () => {
  const listing =
    "The following skills are available for use with the Skill tool:\n\n- hex-greeter: Greets: in hex.\n- other: Does more.";
  const tools = [{ name: "Skill", description: "Runs a skill." }];

  it.each([
    [
      "named in a reminder",
      [
        {
          model: "m",
          tools,
          messages: [{ role: "user", content: `<system-reminder>\n${listing}\n</system-reminder>\nhi` }],
        },
      ],
      ["hex-greeter", "other"],
    ],
    [
      "named in a system message",
      [
        {
          model: "m",
          tools,
          messages: [
            { role: "user", content: "hi" },
            { role: "system", content: listing },
          ],
        },
      ],
      ["hex-greeter", "other"],
    ],
    [
      "none, as the first request shows, whatever comes later",
      [
        { model: "m", tools, messages: [] },
        { model: "m", tools, system: listing, messages: [] },
      ],
      [],
    ],
    [
      "read behind a side request",
      [
        { model: "m", system: "You are a title generator", messages: [] },
        { model: "m", tools, system: listing, messages: [] },
      ],
      ["hex-greeter", "other"],
    ],
    ["not told by the user", [{ model: "m", tools, messages: [{ role: "user", content: listing }] }], []],
    [
      "unknown when only side requests came",
      [{ model: "m", messages: [{ role: "user", content: "quota" }] }],
      null,
    ],
  ])("are %s", async (_name, bodies, names) => {
    await using service = await rawService((_request, response) => response.end("{}"));
    await using to = await gatewayTo(service.url);
    for (const body of bodies) await post(`${to.url}/v1/messages`, body, { headers: to.headers });
    expect(to.trial.close().skillsOffered?.map(({ name }) => name) ?? null).toEqual(names);
  });

  it("are none where Codex gives the model its tools in the conversation, and lists no skill there", async () => {
    await using service = await rawService((_request, response) => response.end("{}"));
    await using to = await gatewayTo(service.url);
    const input = [
      { type: "additional_tools", role: "developer", tools: [{ type: "custom", name: "exec" }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
    ];
    await post(`${to.url}/v1/responses`, { model: "m", input }, { headers: to.headers });
    expect(to.trial.close().skillsOffered).toEqual([]);
  });
});
