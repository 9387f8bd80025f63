import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../../fixtures/harness-bench.ts";
import type { Endpoint, HarnessOptions } from "../../harness.ts";
import { claudeArgs, claudeEnv, LOOK_ONLY, sessionPath } from "./command-line.ts";

const args = (options: Partial<HarnessOptions> = {}, call = {}): string[] =>
  claudeArgs({ ...DEFAULTS, ...options }, { resume: null, mcpConfig: null, ...call });

describe("the arguments", () => {
  it("isolate the run, and let every tool through by default", () => {
    expect(args()).toEqual([
      "-p",
      "--output-format=stream-json",
      "--verbose",
      "--setting-sources=project",
      "--strict-mcp-config",
      "--dangerously-skip-permissions",
    ]);
  });

  it.each<[Partial<HarnessOptions>, string[]]>([
    [{ model: "sonnet" }, ["--model=sonnet"]],
    [{ maxTurns: 0 }, ["--max-turns=0"]],
    [{ permissionMode: "acceptEdits" }, ["--permission-mode=acceptEdits"]],
    [
      { allowedTools: ["Read", "Bash(git *)"] },
      ["--permission-mode=dontAsk", "--allowedTools=Read,Bash(git *)"],
    ],
    [{ allowedTools: [] }, ["--permission-mode=dontAsk", "--allowedTools="]],
    [{ extraArgs: ["--append-system-prompt", "x"] }, ["--append-system-prompt", "x"]],
  ])("%j adds %j", (options, added) => {
    expect(args(options)).toEqual(expect.arrayContaining(added));
  });

  it("keep every value in its flag's own word, so that no flag can take what follows", () => {
    const all = args(
      { model: "m", maxTurns: 2, permissionMode: "default", allowedTools: ["Read"] },
      { resume: "s-1", mcpConfig: "/home/mcp.json" },
    );
    expect(all.every((word) => word.startsWith("-"))).toBe(true);
    expect(all).toContain("--resume=s-1");
    expect(all).toContain("--mcp-config=/home/mcp.json");
  });
});

it("let an agent that is only asked about its work look, and nothing else", () => {
  const words = args(LOOK_ONLY, { resume: "s-1" });
  expect(words).not.toContain("--dangerously-skip-permissions");
  expect(words).toEqual(
    expect.arrayContaining(["--permission-mode=dontAsk", "--allowedTools=Read,Glob,Grep", "--resume=s-1"]),
  );
});

it.each([
  ["/sandbox/workspace", ".agent/projects/-sandbox-workspace/s-1.jsonl"],
  ["/tmp/assay_1.x/0a/ws", ".agent/projects/-tmp-assay-1-x-0a-ws/s-1.jsonl"],
])("a session of %s lies in %s", (workspace, path) => {
  expect(sessionPath({ workspace }, "s-1")).toBe(path);
});

describe("the environment", () => {
  const context = (endpoint: Endpoint | null) => ({
    places: { workspace: "/w", home: "/h", temp: "/t" },
    env: { PATH: "/bin", HOME: "/h" },
    endpoint,
  });
  const GATEWAY = { baseUrl: "http://127.0.0.1:1", token: "fake" };
  const login = { ANTHROPIC_API_KEY: "real", CLAUDE_CODE_OAUTH_TOKEN: "real" };

  it("has the gateway's address and token and none of the real keys", () => {
    const env = claudeEnv(context(GATEWAY), DEFAULTS, { credentials: login });
    expect(env).toMatchObject({
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      ANTHROPIC_API_KEY: "fake",
      PATH: "/bin",
    });
    expect(JSON.stringify(env)).not.toContain("real");
  });

  it("presents the gateway's token as a login where the gateway holds one", () => {
    const env = claudeEnv(context(GATEWAY), DEFAULTS, { credentials: login, loggedIn: true });
    expect(env).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: "fake" });
    expect(env).not.toHaveProperty("ANTHROPIC_API_KEY");
    expect(JSON.stringify(env)).not.toContain("real");
  });

  it("has the login where there is no gateway", () => {
    expect(claudeEnv(context(null), DEFAULTS, { credentials: login })).toMatchObject(login);
  });

  it("keeps configuration and scratch files in the trial's own directories", () => {
    const env = claudeEnv(context(null), DEFAULTS, { credentials: {} });
    expect(env).toMatchObject({ CLAUDE_CONFIG_DIR: "/h/.agent", CLAUDE_CODE_TMPDIR: "/t", IS_SANDBOX: "1" });
  });

  it("turns background tasks off only when asked to", () => {
    const name = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS";
    expect(claudeEnv(context(null), DEFAULTS, { credentials: {} })).not.toHaveProperty(name);
    expect(claudeEnv(context(null), { ...DEFAULTS, syncTasks: true }, { credentials: {} })).toHaveProperty(
      name,
      "1",
    );
  });
});
