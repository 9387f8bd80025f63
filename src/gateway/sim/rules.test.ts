import { describe, expect, it } from "vitest";
import { post, simFor } from "./test-client.ts";
import { MESSAGES_PATH, HELLO } from "./fixtures/requests.ts";

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
