import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { machineIn } from "../../../test/support/machine.ts";
import { type TempTree, tempTree } from "../../../test/support/temp-tree.ts";
import { findLogins } from "./access.ts";

const NOW = new Date("2026-11-16T10:00:00Z");
const LATER = NOW.getTime() + 3_600_000;
const CLAUDE_FILE = ".claude/.credentials.json";
const CODEX_FILE = ".codex/auth.json";

const claudeFile = (expiresAt: number) =>
  JSON.stringify({
    claudeAiOauth: { accessToken: "sk-ant-oat01-aaaaaaaa", refreshToken: "sk-ant-ort01-bbbbbbbb", expiresAt },
  });

const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.signature`;

const codexFile = (exp: number) =>
  JSON.stringify({
    OPENAI_API_KEY: null,
    tokens: {
      id_token: jwt(exp),
      access_token: jwt(exp),
      refresh_token: "refresh-cccccccc",
      account_id: "acc-1",
    },
  });

function look(home: TempTree, env: Readonly<Record<string, string>> = {}) {
  return findLogins({ ...machineIn("/"), home: home.root, env, now: () => NOW });
}

describe("claude", () => {
  it("is logged in by its file, of which only the access token is used", async () => {
    await using home = await tempTree({ [CLAUDE_FILE]: claudeFile(LATER) });
    const { access, secrets } = await look(home);
    expect(access.claude).toMatchObject({
      kind: "login",
      login: {
        source: `~/${CLAUDE_FILE}`,
        upstream: {
          key: "sk-ant-oat01-aaaaaaaa",
          keyHeader: "authorization",
          baseUrl: "https://api.anthropic.com",
        },
      },
    });
    expect(secrets).toEqual(["sk-ant-oat01-aaaaaaaa", "sk-ant-ort01-bbbbbbbb"]);
  });

  it("is logged in by CLAUDE_CODE_OAUTH_TOKEN before its file, and by a key before either", async () => {
    await using home = await tempTree({ [CLAUDE_FILE]: claudeFile(LATER) });
    const token = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dddddddd" };
    expect((await look(home, token)).access.claude).toMatchObject({
      kind: "login",
      login: { source: "CLAUDE_CODE_OAUTH_TOKEN", upstream: { key: "sk-ant-oat01-dddddddd" } },
    });
    expect((await look(home, { ...token, ANTHROPIC_API_KEY: "sk-1" })).access.claude).toEqual({
      kind: "key",
      variable: "ANTHROPIC_API_KEY",
    });
  });

  it("is looked for where CLAUDE_CONFIG_DIR says", async () => {
    await using home = await tempTree({ "elsewhere/.credentials.json": claudeFile(LATER) });
    const { access } = await look(home, { CLAUDE_CONFIG_DIR: home.path("elsewhere") });
    expect(access.claude).toMatchObject({
      kind: "login",
      login: { source: "~/elsewhere/.credentials.json" },
    });
  });
});

describe("codex", () => {
  it("is logged in with a ChatGPT account, whose id goes along", async () => {
    await using home = await tempTree({ [CODEX_FILE]: codexFile(LATER / 1000) });
    const { access, secrets } = await look(home);
    expect(access.codex).toMatchObject({
      kind: "login",
      login: {
        source: `~/${CODEX_FILE}`,
        upstream: {
          baseUrl: "https://chatgpt.com/backend-api/codex",
          key: jwt(LATER / 1000),
          headers: { "chatgpt-account-id": "acc-1" },
        },
      },
    });
    expect(secrets).toContain("refresh-cccccccc");
  });

  it("is logged in with a key of its own, where CODEX_HOME says", async () => {
    const file = JSON.stringify({ OPENAI_API_KEY: "sk-proj-eeeeeeeeeeee" });
    await using home = await tempTree({ "cx/auth.json": file });
    const { access } = await look(home, { CODEX_HOME: home.path("cx") });
    expect(access.codex).toMatchObject({
      kind: "login",
      login: { upstream: { baseUrl: "https://api.openai.com/v1", key: "sk-proj-eeeeeeeeeeee" } },
    });
  });
});

describe.each([
  ["claude", CLAUDE_FILE, claudeFile(NOW.getTime() - 1), claudeFile(-1e300)],
  ["codex", CODEX_FILE, codexFile(NOW.getTime() / 1000 - 1), codexFile(-1e300)],
] as const)("the file of %s", (client, file, expired, nonsense) => {
  const accessOf = async (home: TempTree) => (await look(home)).access[client];
  const unusable = (problem: RegExp) => ({
    kind: "unusable",
    login: {
      source: `~/${file}`,
      problem: expect.stringMatching(problem),
      fix: expect.stringContaining(client),
    },
  });

  it("may be missing", async () => {
    await using home = await tempTree();
    expect(await accessOf(home)).toEqual({ kind: "none" });
  });

  it.each([
    ["expired", expired, /^expired at 2026-11-16T09:59:59/],
    ["expired at a time that no calendar has", nonsense, /^has expired$/],
    ["not JSON", "{ accessToken:", /^is not JSON$/],
    ["empty", "", /^is not JSON$/],
    ["somebody else's", '{"mcpOAuth":{}}', /^holds no login$/],
    ["a list", "[]", /^holds no login$/],
    ["nothing", "null", /^holds no login$/],
  ])("may be %s", async (_, text, problem) => {
    await using home = await tempTree({ [file]: text });
    expect(await accessOf(home)).toMatchObject(unusable(problem));
  });

  it("may be a directory", async () => {
    await using home = await tempTree();
    await mkdir(home.path(file), { recursive: true });
    expect(await accessOf(home)).toMatchObject(unusable(/^is a directory$/));
  });

  it.skipIf(process.getuid?.() === 0)("may be unreadable", async () => {
    await using home = await tempTree();
    await mkdir(dirname(home.path(file)), { recursive: true });
    await writeFile(home.path(file), expired);
    await chmod(home.path(file), 0);
    expect(await accessOf(home)).toMatchObject(unusable(/permission denied/));
  });

  it("still has its tokens masked when it has expired", async () => {
    await using home = await tempTree({ [file]: expired });
    const { secrets } = await look(home);
    expect(secrets.length).toBeGreaterThan(1);
    expect(secrets.every((secret) => expired.includes(secret))).toBe(true);
  });
});
