import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { machineIn } from "../../../test/support/machine.ts";
import { tempTree } from "../../../test/support/temp-tree.ts";
import type { Upstream } from "../../gateway/upstream.ts";
import type { Logins } from "../logins/access.ts";
import { NO_LOGINS } from "../logins/access.ts";
import { agentFinding } from "./agent.ts";
import { keyFinding, loginFinding, loginNote } from "./login.ts";
import { modelMemory } from "./model-memory.ts";
import { aliasOf, isListed } from "./model-names.ts";
import { modelFinding } from "./model.ts";

type Replies = Readonly<Record<string, readonly [status: number, body: unknown]>>;

/** A service that answers these addresses, and 404 to all others. */
async function service(replies: Replies): Promise<{ upstream: Upstream; asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const [status, body] = replies[request.url ?? ""] ?? [404, { error: { message: "not found" } }];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = {
    name: "anthropic",
    wires: ["messages"],
    baseUrl,
    key: "k",
    keyHeader: "x-api-key",
  } as const;
  return { upstream, asked };
}

const question = (upstream: Upstream, model: string | null = "claude-a") =>
  ({
    subject: "model",
    service: "anthropic",
    upstream,
    model,
    credential: "the key in ANTHROPIC_API_KEY",
    renew: "set ANTHROPIC_API_KEY to a valid key",
  }) as const;

const { signal } = new AbortController();

describe("a model", () => {
  const listOf = (...ids: readonly string[]) => [200, { data: ids.map((id) => ({ id })) }] as const;
  const LIST = listOf("claude-alpha", "claude-beta");
  const ALL = "/v1/models?limit=1000";

  it.each<[string, Replies, string, RegExp]>([
    ["the service knows it", { "/v1/models/claude-a": [200, {}] }, "ok", /has claude-a/],
    ["the service lists others", { [ALL]: LIST }, "failed", /has no model "claude-a"/],
    ["the service has no list", {}, "note", /claude-a was not checked/],
    ["a list names it with a date", { [ALL]: listOf("claude-a-20250929") }, "ok", /has claude-a/],
    ["a list has only a part", { [ALL]: [200, { ...LIST[1], has_more: true }] }, "note", /was not checked/],
    ["a list has patterns", { [ALL]: listOf("claude-*") }, "note", /was not checked/],
    [
      "the key is wrong",
      { "/v1/models/claude-a": [401, { error: { message: "invalid x-api-key" } }] },
      "failed",
      /refuses the key in ANTHROPIC_API_KEY: invalid x-api-key/,
    ],
    [
      "the key may not read the list",
      { "/v1/models/claude-a": [401, { error: { message: "Missing scopes: api.model.read" } }] },
      "note",
      /was not checked/,
    ],
    [
      "the service has trouble",
      { "/v1/models/claude-a": [500, {}] },
      "note",
      /was not checked: .* answered with 500/,
    ],
  ])("when %s", async (_, replies, status, message) => {
    const { upstream } = await service(replies);
    const found = await modelFinding(question(upstream), { memory: modelMemory(machineIn("/")), signal });
    expect(found).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  it("is asked about once a day for each key", async () => {
    await using home = await tempTree();
    const { upstream, asked } = await service({ "/v1/models/claude-a": [200, {}] });
    let now = new Date("2026-11-16T10:00:00Z");
    const look = (one: Upstream) =>
      modelFinding(question(one), {
        memory: modelMemory({ ...machineIn("/"), home: home.root, now: () => now }),
        signal,
      });
    await look(upstream);
    await look(upstream);
    expect(asked).toHaveLength(1);
    await look({ ...upstream, key: "another" });
    expect(asked).toHaveLength(2);
    now = new Date("2026-11-17T10:00:01Z");
    await look(upstream);
    expect(asked).toHaveLength(3);
  });

  it("that is the client's own default only tries the key", async () => {
    const { upstream, asked } = await service({ "/v1/models": LIST });
    expect(
      await modelFinding(question(upstream, null), { memory: modelMemory(machineIn("/")), signal }),
    ).toMatchObject({
      status: "ok",
    });
    expect(asked).toEqual(["/v1/models"]);
  });
});

describe("a name that no list has", () => {
  it.each([
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "arn:aws:bedrock:us-east-1:1:inference-profile/x",
    "claude-sonnet-4-5@20250929",
  ])("%s is a cloud's, so it is not refused", async (model) => {
    const { upstream } = await service({
      "/v1/models?limit=1000": [200, { data: [{ id: "claude-alpha" }] }],
    });
    const found = await modelFinding(question(upstream, model), {
      memory: modelMemory(machineIn("/")),
      signal,
    });
    expect(found).toMatchObject({ status: "note", message: expect.stringContaining("was not checked") });
  });

  it.each([
    ["sonnet", "known"],
    ["opus", "known"],
    ["haiku", "known"],
    ["sonnet[1m]", "known"],
    ["opusplan", "known"],
    ["fable", "possible"],
    ["claude-sonnet-4-5", null],
    ["claude-sonnet-4-5-20250929", null],
    ["gpt-5", null],
  ])("%s as a name of Claude Code's own: %s", (model, alias) => {
    expect(aliasOf("claude", model)).toBe(alias);
  });

  it.each([
    ["claude-sonnet-4-5", ["claude-sonnet-4-5-20250929"], true],
    ["claude-sonnet-4-5[1m]", ["claude-sonnet-4-5-20250929"], true],
    ["gpt-5", ["gpt-5-2025-08-07"], true],
    ["llama3", ["llama3:latest"], true],
    ["claude-sonnet-4", ["claude-sonnet-4-5-20250929"], false],
    ["claude-sonnet-4-5-20991231", ["claude-sonnet-4-5-20250929"], false],
  ])("%s among %j: %s", (model, listed, expected) => {
    expect(isListed(model, listed)).toBe(expected);
  });
});

describe("a login", () => {
  it("in the keychain of a Mac is explained", () => {
    const { message, fix } = loginFinding("claude", NO_LOGINS, "darwin");
    expect(message).toContain("in the keychain, which Assay does not read");
    expect(fix).toContain("claude setup-token");
    expect(loginFinding("claude", NO_LOGINS, "linux").message).not.toContain("keychain");
  });

  it("is said, with what the agent sees of it", () => {
    const upstream = {
      name: "x",
      wires: [],
      baseUrl: "",
      key: "secret",
      keyHeader: "authorization",
    } as const;
    const access: Logins["access"]["claude"] = {
      kind: "login",
      login: { status: "usable", source: "~/.claude/.credentials.json", upstream },
    };
    expect(loginNote("claude", access)).toMatch(
      /^Claude Code uses your login from ~\/\.claude\/\.credentials\.json\. .*a throwaway/,
    );
    expect(loginNote("claude", { kind: "key", variable: "ANTHROPIC_API_KEY" })).toBeNull();
  });
});

describe("an agent", () => {
  it.each([
    ["claude-code", "2.1.197", "ok", null],
    ["claude-code", "2.1.325", "ok", null],
    ["claude-code", "3.0.0", "ok", null],
    ["claude-code", "1.9.12", "note", "npm install -g @anthropic-ai/claude-code@latest"],
    ["claude-code", null, "note", "run claude-code --version to see why"],
    ["codex", "0.166.0-alpha.1", "ok", null],
    ["codex", "0.99.9", "note", "npm install -g @openai/codex@latest"],
    ["builtin", null, "ok", null],
  ])("%s %s is %s", (harness, version, status, fix) => {
    expect(agentFinding(harness, { name: harness, version })).toMatchObject({ status, fix });
  });
});

describe("a client that takes only a key", () => {
  const client = { title: "Gemini CLI", login: ["GEMINI_API_KEY", "GOOGLE_API_KEY"] };

  it("says which it uses", () => {
    expect(keyFinding(client, { GOOGLE_API_KEY: "k" })).toMatchObject({
      status: "ok",
      message: "Gemini CLI uses GOOGLE_API_KEY.",
    });
  });

  it.each([{}, { GEMINI_API_KEY: " " }])("says which it needs: %j", (env) => {
    expect(keyFinding(client, env)).toMatchObject({
      status: "failed",
      message: "Gemini CLI needs GEMINI_API_KEY or GOOGLE_API_KEY.",
      fix: "export GEMINI_API_KEY",
    });
  });
});

it.each([
  ["0.15.10", "The agent is qwen, qwen 0.15.10."],
  ["0.24.4", "The agent is qwen, qwen 0.24.4 (tested up to 0.15.10)."],
])("of qwen %s, it says %s", (version, message) => {
  expect(agentFinding("qwen", { name: "qwen", version })).toMatchObject({ status: "ok", message });
});
