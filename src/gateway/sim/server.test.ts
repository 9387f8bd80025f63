import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { UserError } from "../../domain/user-error.ts";
import { listAt, objectAt, textAt } from "../../wires/loose.ts";
import { skillOffered } from "./request-log.ts";
import { post, SAYS, simFor } from "./test-client.ts";

const WIRE_NAMES = ["messages", "responses", "chat", "gemini"] as const;
const [MESSAGES_PATH, HELLO] = SAYS.messages("hello");

describe.each(WIRE_NAMES)("over %s", (wire) => {
  it.each([false, true])("answers (stream: %s), with a path before /v1", async (stream) => {
    await using sim = await simFor(
      `replies: ["Hello from the script, at some length so that it is cut into pieces."]`,
    );
    const [path, body] = SAYS[wire]("hi", stream);
    const reached = await post(`${sim.url}/r/run-7${path}`, body);
    expect(reached.status).toBe(200);
    expect(reached.headers.get("content-type")).toMatch(
      stream ? /^text\/event-stream/ : /^application\/json/,
    );
    expect(reached.text).toContain("Hello from the script");
    expect(reached.events.length > 3).toBe(stream);
    expect(sim.requests[0]).toMatchObject({
      method: "POST",
      status: 200,
      rule: "reply 1",
      seen: { wire, model: "m", stream, turn: 1, step: 1, userText: "hi" },
    });
  });

  it("says what nobody scripted", async () => {
    await using sim = await simFor(`[{ when: { userText: other }, reply: x }]`);
    const [path, body] = SAYS[wire]("unexpected thing");
    const reached = await post(sim.url + path, body);
    expect(reached.status).toBe(400);
    expect(reached.text).toMatch(/assay sim: no rule .*unexpected thing/);
    expect(sim.unmatched).toHaveLength(1);
    expect(sim.unmatched[0]?.unmatched).toContain("unexpected thing");
  });

  it.each([401, 403, 429, 500, 529])("fails with %s as scripted", async (status) => {
    await using sim = await simFor(
      `[{ fault: { status: ${status}, message: scripted words, retryAfter: 3 } }]`,
    );
    const [path, body] = SAYS[wire]("x", true);
    const reached = await post(sim.url + path, body);
    expect(reached.status).toBe(status);
    expect(reached.headers.get("retry-after")).toBe("3");
    expect(JSON.stringify(reached.json)).toContain("scripted words");
  });

  it.each([
    ["drop", "drop: true", false],
    ["drop", "drop: true", true],
    ["cut", "cutAfter: 1", true],
    ["cut", "cutAfter: 1", false],
    ["cut before anything", "cutAfter: 0", true],
  ])("loses the connection: %s", async (_name, fault, stream) => {
    await using sim = await simFor(`[{ reply: words, fault: { ${fault} }, times: 1 }, { reply: after }]`);
    const [path, body] = SAYS[wire]("x", stream);
    await expect(post(sim.url + path, body)).rejects.toThrow(/fetch failed|terminated/);
    expect((await post(sim.url + path, body)).text).toContain("after");
    expect(sim.requests.map((seen) => seen.end)).toEqual(["cut", "complete"]);
  });

  it.each([false, true])("sends what is no JSON (stream: %s)", async (stream) => {
    await using sim = await simFor(`[{ reply: words, fault: { malformed: true } }]`);
    const [path, body] = SAYS[wire]("x", stream);
    const response = await fetch(sim.url + path, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    const last = stream ? (text.trim().split("data: ").at(-1) ?? "") : text;
    expect(response.status).toBe(200);
    expect(() => JSON.parse(last) as unknown).toThrow(SyntaxError);
  });

  it("stalls after the first event until the client leaves", async () => {
    await using sim = await simFor(`[{ reply: words, fault: { stall: true } }]`);
    const [path, body] = SAYS[wire]("x", true);
    const leave = new AbortController();
    const response = await fetch(sim.url + path, {
      method: "POST",
      body: JSON.stringify(body),
      signal: leave.signal,
    });
    const reader = response.body!.getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value).match(/^data: /gm)).toHaveLength(1);
    const second = reader.read().catch(() => "left");
    await expect(Promise.race([second, later(150)])).resolves.toBe("later");
    leave.abort();
    await second;
    await expect.poll(() => sim.requests[0]?.end).toBe("client-left");
  });

  it("tells an error in the stream", async () => {
    await using sim = await simFor(`[{ fault: { errorEvent: overloaded_error, message: busy now } }]`);
    const [path, body] = SAYS[wire]("x", true);
    const { events } = await post(sim.url + path, body);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events[1])).toMatch(/overloaded_error.*busy now|busy now.*overloaded_error/);
  });
});

function later(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, "later"));
}

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

describe("rules", () => {
  it("are tried in order, and `times` spends them", async () => {
    await using sim = await simFor(`
- { fault: { status: 529 }, times: 2 }
- { when: { userText: { equals: hello } }, reply: greeted }
- { reply: other }
`);
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await post(sim.url + MESSAGES_PATH, HELLO)).status);
    expect(statuses).toEqual([529, 529, 200, 200]);
    expect(sim.requests.map((seen) => seen.rule)).toEqual(["rule 1", "rule 1", "rule 2", "rule 2"]);
  });

  it("can be spent for each conversation", async () => {
    await using sim = await simFor(
      `[{ fault: { status: 500 }, times: 1, per: conversation }, { reply: ok }]`,
    );
    const ask = (session: string): Promise<{ status: number }> =>
      post(sim.url + MESSAGES_PATH, HELLO, { headers: { "x-claude-code-session-id": session } });
    const statuses = [];
    for (const session of ["a", "b", "a", "b"]) statuses.push((await ask(session)).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
  });

  const history = [
    { role: "user", content: "make it" },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Write", input: {} }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "EACCES: denied", is_error: true }],
    },
  ];
  const listing = "The following skills are available for use with the Skill tool:\n\n- one: first";

  it.each<[string, boolean]>([
    ["turn: 1", true],
    ["turn: 2", false],
    ["step: 2", true],
    ["step: 1", false],
    ["afterTool: write", true],
    ["afterTool: Write", true],
    ["afterTool: bash", false],
    ["toolFailed: true", true],
    ["toolFailed: false", false],
    ["toolResult: EACCES", true],
    ["toolResult: { not: EACCES }", false],
    ["userText: { equals: make it }", true],
    ["userText: { regex: '^make (it|that)$' }", true],
    ["userText: { contains: make, not: it }", false],
    ["system: You are", true],
    ["anywhere: denied", true],
    ["anywhere: absent words", false],
    ["model: sonnet", true],
    ["model: haiku", false],
    ["path: /run-1/", true],
    ["wire: messages", true],
    ["wire: chat", false],
    ["offersTool: bash", true],
    ["offersTool: skill", false],
    ["skillListed: one", true],
    ["skillListed: two", false],
    ["skillMissing: two", true],
    ["skillMissing: one", false],
    ["structured: false", true],
    ["structured: true", false],
    ["subagent: false", true],
    ["subagent: true", false],
    ["turn: 1, step: 2, afterTool: write", true],
    ["turn: 1, step: 2, afterTool: read", false],
  ])("match by { %s }: %s", async (when, matches) => {
    await using sim = await simFor(`[{ when: { ${when} }, reply: x }]`);
    const body = {
      model: "claude-sonnet-5",
      system: `You are.\n${listing}`,
      tools: [{ name: "Bash" }],
      messages: history,
    };
    expect((await post(`${sim.url}/run-1/v1/messages`, body)).status).toBe(matches ? 200 : 400);
  });

  it("play steps while one message is answered, and not beyond", async () => {
    await using sim = await simFor(
      `[{ when: { userText: make }, steps: [ one, "two of {{turn}}.{{step}}" ] }]`,
    );
    const first = await post(sim.url + MESSAGES_PATH, { model: "m", messages: history.slice(0, 1) });
    const second = await post(sim.url + MESSAGES_PATH, { model: "m", messages: history });
    const third = await post(sim.url + MESSAGES_PATH, {
      model: "m",
      messages: [...history, ...history.slice(1)],
    });
    expect([first.text, second.text, third.status]).toEqual([
      expect.stringContaining("one"),
      expect.stringContaining("two of 1.2"),
      400,
    ]);
  });

  it("for side requests neither take the conversation's replies nor are answered by its rules", async () => {
    const title = {
      model: "m",
      system: "You are a title generator.",
      messages: [{ role: "user", content: "hello" }],
    };
    await using without = await simFor(
      `{ rules: [ { when: { userText: hello }, reply: rule } ], replies: [ one ] }`,
    );
    expect((await post(without.url + MESSAGES_PATH, title)).text).toContain("the side request");
    await using sim = await simFor(
      `{ rules: [ { side: true, reply: A title }, { side: true, when: { system: "name this" }, reply: A name } ], replies: [ one ] }`,
    );
    expect((await post(sim.url + MESSAGES_PATH, title)).text).toContain("A title");
    expect((await post(sim.url + MESSAGES_PATH, { ...title, system: "Please name this." })).text).toContain(
      "A name",
    );
    expect((await post(sim.url + MESSAGES_PATH, HELLO)).text).toContain("one");
  });
});

describe("a structured answer", () => {
  const script = `[{ when: { structured: true }, reply: { json: { verdict: passed, said: "{{userText}}" } } }]`;
  const value = { verdict: "passed", said: "judge" };
  const schema = { type: "object" };
  const text = [{ role: "user", content: "judge" }];

  it.each([
    [
      "Anthropic's output format",
      "/v1/messages",
      { messages: text, output_config: { format: { type: "json_schema", schema } } },
    ],
    [
      "OpenAI Responses",
      "/v1/responses",
      { input: "judge", text: { format: { type: "json_schema", name: "v", schema } } },
    ],
    [
      "Chat Completions",
      "/v1/chat/completions",
      { messages: text, response_format: { type: "json_schema", json_schema: { schema } } },
    ],
    [
      "Gemini",
      "/v1/models/g:generateContent",
      {
        contents: [{ role: "user", parts: [{ text: "judge" }] }],
        generationConfig: { responseMimeType: "application/json" },
      },
    ],
  ])("is text for %s", async (_name, path, body) => {
    await using sim = await simFor(script);
    const { text: reached } = await post(sim.url + path, { model: "m", ...body });
    expect(reached).toContain(JSON.stringify(JSON.stringify(value)).slice(1, -1));
  });

  it.each([
    [
      "Anthropic",
      "/v1/messages",
      { messages: text, tools: [{ name: "v" }], tool_choice: { type: "tool", name: "v" } },
    ],
    [
      "Claude Code's schema option",
      "/v1/messages",
      { messages: text, tools: [{ name: "StructuredOutput" }] },
    ],
    ["OpenAI Responses", "/v1/responses", { input: "judge", tool_choice: { type: "function", name: "v" } }],
    [
      "Chat Completions",
      "/v1/chat/completions",
      { messages: text, tool_choice: { type: "function", function: { name: "v" } } },
    ],
    [
      "Gemini",
      "/v1beta/models/g:generateContent",
      {
        contents: [{ role: "user", parts: [{ text: "judge" }] }],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["v"] } },
      },
    ],
  ])("is a tool call for %s where one is forced", async (_name, path, body) => {
    await using sim = await simFor(script);
    const { text: reached } = await post(sim.url + path, { model: "m", ...body });
    expect(reached).toMatch(/tool_use|function_call|tool_calls|functionCall/);
    expect(reached.replaceAll("\\", "")).toContain(JSON.stringify(value));
  });
});

describe("tool calls in one script", () => {
  it.each([
    [
      "/v1/messages",
      { messages: [{ role: "user", content: "x" }], tools: [{ name: "Bash" }] },
      /"name":"Bash","input":\{"command":"ls"/,
    ],
    [
      "/v1/responses",
      { input: "x", tools: [{ type: "function", name: "exec_command" }] },
      /"arguments":"\{\\"cmd\\":\\"ls\\"\}"/,
    ],
    [
      "/v1/chat/completions",
      {
        messages: [{ role: "user", content: "x" }],
        tools: [{ type: "function", function: { name: "bash" } }],
      },
      /"function":\{"name":"bash","arguments":"\{\\"command\\":\\"ls\\"/,
    ],
  ])("fit the client on %s", async (path, body, expected) => {
    await using sim = await simFor(`[{ reply: { tool: bash, input: { command: ls } } }]`);
    expect((await post(sim.url + path, { model: "m", ...body })).text).toMatch(expected);
  });

  it("that the client cannot do are told, not guessed", async () => {
    await using sim = await simFor(`[{ name: shell, reply: { tool: bash, input: { command: ls } } }]`);
    const reached = await post(sim.url + MESSAGES_PATH, HELLO);
    expect([reached.status, sim.unmatched.length]).toEqual([400, 1]);
    expect(reached.text).toContain("shell cannot answer: the script calls");
    expect(reached.text).toContain("offers no tools");
  });
});

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

describe("twenty conversations at once", () => {
  it("each hear only their own answers", async () => {
    await using sim = await simFor(`
- { when: { userText: ping }, fault: { chunkDelayMs: 2 }, steps: [ "a {{userText /ping-\\\\d+/}}", "b {{toolResult}}" ] }
`);
    const talk = async (n: number): Promise<void> => {
      const [path, body] = SAYS.messages(`ping-${n}`, true);
      const first = await post(sim.url + path, body);
      expect(heard(first.events)).toBe(`a ping-${n}`);
      const messages = [
        ...listAt(body, "messages"),
        { role: "assistant", content: [{ type: "tool_use", id: `t${n}`, name: "Bash", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: `out-${n}` }] },
      ];
      expect(heard((await post(sim.url + path, { ...body, messages })).events)).toBe(`b out-${n}`);
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => talk(n)));
    expect(sim.requests).toHaveLength(40);
    const ids = new Set(sim.requests.map((seen) => seen.index));
    expect(ids.size).toBe(40);
  });
});

function heard(events: Awaited<ReturnType<typeof post>>["events"]): string {
  return events.map((event) => textAt(objectAt(event, "delta"), "text")).join("");
}

describe("the request log", () => {
  it("hides keys, keeps bodies, and goes to a file and a listener", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sim-log-"));
    try {
      const logFile = join(folder, "log.jsonl");
      const heardOf: string[] = [];
      const sim = await simFor("replies: [x]", {
        logFile,
        log: (seen) => heardOf.push(`${seen.method} ${seen.status}`),
        now: () => new Date("2026-01-02T03:04:05Z"),
      });
      await post(`${sim.url}/v1/messages?key=sk-very-secret`, HELLO, {
        headers: {
          authorization: "Bearer sk-very-secret",
          "x-api-key": "sk-very-secret",
          "x-goog-api-key": "sk-very-secret",
        },
      });
      await sim.close();
      const written = await readFile(logFile, "utf8");
      expect(written).not.toContain("sk-very-secret");
      const lines = written
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      expect(lines).toMatchObject([
        {
          index: 0,
          time: "2026-01-02T03:04:05.000Z",
          path: "/v1/messages?key=[hidden]",
          body: HELLO,
          rule: "reply 1",
          end: "complete",
        },
      ]);
      expect(lines).toEqual(JSON.parse(JSON.stringify(sim.requests)));
      expect(heardOf).toEqual(["POST 200"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("knows whether a skill was offered in the first request", async () => {
    await using sim = await simFor("replies: [x]");
    expect(skillOffered(sim.requests, "one")).toBeNull();
    const system = "The following skills are available for use with the Skill tool:\n\n- one: first";
    await post(
      sim.url + MESSAGES_PATH,
      { ...HELLO, system },
      { headers: { "x-claude-code-session-id": "a" } },
    );
    await post(sim.url + MESSAGES_PATH, HELLO, { headers: { "x-claude-code-session-id": "b" } });
    expect(skillOffered(sim.requests, "one")).toBe(true);
    expect(skillOffered(sim.requests, "two")).toBe(false);
    expect(skillOffered(sim.requests, "one", { conversation: "b" })).toBe(false);
  });

  it("is bounded", async () => {
    await using sim = await simFor("[{ reply: x }]");
    const body = { ...HELLO, padding: "p".repeat(3_900_000) };
    for (let i = 0; i < 20; i++) await post(sim.url + MESSAGES_PATH, body);
    const kept = sim.requests.filter((seen) => seen.body !== null);
    expect(sim.requests).toHaveLength(20);
    expect(kept.length * 3_900_000).toBeLessThan(65 * 1024 * 1024);
    expect(kept.at(-1)).toBe(sim.requests.at(-1));
  });
});

describe("start and end", () => {
  it("listens on loopback only and says when a port is taken", async () => {
    await using sim = await simFor("replies: [x]");
    expect(sim.url).toBe(`http://127.0.0.1:${sim.port}`);
    await expect(simFor("replies: [x]", { port: sim.port })).rejects.toThrow(/port is in use/);
    await expect(simFor("replies: [x]", { logFile: "/nonexistent/dir/log" })).rejects.toThrow(UserError);
  });

  it("closes with streams open and leaves nothing behind", async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((kind) => /^TCP(?:Server|Socket)Wrap$/.test(kind)).length;
    const before = sockets();
    const sim = await simFor(
      "[{ when: { userText: wait }, fault: { delayMs: 60000 } }, { reply: x, fault: { stall: true } }]",
    );
    const open = [SAYS.messages("x", true), SAYS.chat("wait", true)].map(([path, body]) =>
      raw(sim.port, path, JSON.stringify(body)),
    );
    await expect.poll(() => sim.requests.length).toBe(2);
    const started = performance.now();
    await Promise.all([sim.close(), sim.close(), sim[Symbol.asyncDispose]()]);
    expect(performance.now() - started).toBeLessThan(5000);
    await Promise.all(open);
    expect(sim.requests.map((seen) => seen.end)).toEqual(["cut", "cut"]);
    await expect.poll(sockets).toBeLessThanOrEqual(before);
    await expect(fetch(sim.url)).rejects.toThrow("fetch failed");
  });

  it("is not harmed by a client that leaves in the middle of its request", async () => {
    await using sim = await simFor("replies: [x]");
    const half = request({
      port: sim.port,
      host: "127.0.0.1",
      method: "POST",
      path: MESSAGES_PATH,
      headers: { "content-length": 100 },
    });
    half.on("error", () => {});
    half.write("{");
    await later(30);
    half.destroy();
    expect((await post(sim.url + MESSAGES_PATH, HELLO)).status).toBe(200);
  });
});

/** Without the connection pool of `fetch`. */
function raw(port: number, path: string, body: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({ port, host: "127.0.0.1", method: "POST", path, agent: false }, (response) =>
      response.resume(),
    );
    sent.on("error", () => {});
    sent.on("close", () => resolve());
    sent.end(body);
  });
}
