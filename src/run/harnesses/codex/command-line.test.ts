import { describe, expect, it } from "vitest";
import type { Skill } from "../../../domain/skill.ts";
import { DEFAULTS } from "../../fixtures/harness-bench.ts";
import type { Endpoint, StagedSkill, SystemPrompt } from "../../harness.ts";
import { codexArgs, codexEnv, codexPrompts, mcpToml } from "./command-line.ts";

const ENDPOINT = { baseUrl: "http://127.0.0.1:1", token: "fake" };

describe("the arguments", () => {
  it("end with the dash that reads the prompt from standard input", () => {
    expect(codexArgs(DEFAULTS, null, null).at(-1)).toBe("-");
    expect(codexArgs(DEFAULTS, ENDPOINT, "th-1").slice(-3)).toEqual(["resume", "th-1", "-"]);
  });

  it("lead to the gateway without naming its token", () => {
    const args = codexArgs(DEFAULTS, ENDPOINT, null).join(" ");
    expect(args).toContain('base_url="http://127.0.0.1:1/v1"');
    expect(args).not.toContain("fake");
    expect(codexArgs(DEFAULTS, null, null).join(" ")).not.toContain("model_provider");
  });

  it("take model, sandbox and further arguments before the resume", () => {
    const options = {
      ...DEFAULTS,
      model: "gpt-x",
      permissionMode: "read-only",
      extraArgs: ["--color", "never"],
    };
    const args = codexArgs(options, null, "th-1").join(" ");
    expect(args).toMatch(/-s read-only .*-m gpt-x --color never resume th-1 -$/);
    expect(args).not.toContain("bypass");
    expect(codexArgs(DEFAULTS, null, null)).toContain("--dangerously-bypass-approvals-and-sandbox");
  });
});

describe("the environment", () => {
  const context = (endpoint: Endpoint | null) => ({
    places: { workspace: "/w", home: "/h", temp: "/t" },
    env: { PATH: "/bin" },
    endpoint,
  });

  it("has the gateway's token and none of the real keys", () => {
    expect(codexEnv(context(ENDPOINT), { OPENAI_API_KEY: "real" })).toEqual({
      PATH: "/bin",
      CODEX_HOME: "/h/.agent",
      ASSAY_MODEL_TOKEN: "fake",
    });
  });

  it.each([
    [{ OPENAI_API_KEY: "a" }, "a"],
    [{ CODEX_API_KEY: "b", OPENAI_API_KEY: "a" }, "b"],
    [{}, undefined],
  ])("hands %j over in the variable that the client reads", (credentials, key) => {
    expect(codexEnv(context(null), credentials)["CODEX_API_KEY"]).toBe(key);
  });
});

describe("the prompt", () => {
  const invocation = { kind: "invocation", args: "Ada" } as const;

  it.each<[string, StagedSkill | null, string]>([
    ["names a skill that the client finds", staged(), "$pdf Ada"],
    ["is the bare arguments without a skill", null, "Ada"],
    ["puts a command's text first", staged({}, "command"), "The body.\n\nAda"],
    [
      "adds an explicit text to the invocation",
      staged({ source: "explicit", text: "Do." }),
      "Do.\n\n$pdf Ada",
    ],
    [
      "adds AGENTS.md to the invocation",
      staged({ source: "agents-md", text: "Rules.\n" }),
      "Rules.\n\n$pdf Ada",
    ],
    [
      "adds AGENTS.md to a command's text",
      staged({ source: "agents-md", text: "Rules." }, "command"),
      "Rules.\n\nThe body.\n\nAda",
    ],
  ])("%s", (_, skill, expected) => {
    expect(codexPrompts(invocation, skill)).toEqual([expected]);
  });

  it("of several messages is sent as it is", () => {
    expect(codexPrompts({ kind: "turns", turns: ["a", "$b"] }, staged())).toEqual(["a", "$b"]);
  });
});

describe("MCP servers", () => {
  it("are told in the client's own language", () => {
    const toml = mcpToml({
      "my server": { command: "node", args: ["a b", 'q"uote\n'], env: { "K.1": "it's" } },
      remote: { type: "http", url: "https://x.test/mcp", headers: { Authorization: "Bearer t" } },
    });
    expect(toml).toBe(`[mcp_servers."my server"]
command = "node"
args = ["a b","q\\"uote\\n"]
env = { "K.1" = "it's" }

[mcp_servers."remote"]
url = "https://x.test/mcp"
http_headers = { "Authorization" = "Bearer t" }
`);
  });

  it("of no kind at all are named with nothing in them", () => {
    expect(mcpToml({ odd: 3 })).toBe('[mcp_servers."odd"]\n\n');
  });
});

function staged(
  systemPrompt: Partial<SystemPrompt> = {},
  layout: Skill["layout"] = "directory",
): StagedSkill {
  const skill: Skill = {
    name: "pdf",
    layout,
    file: "/s/pdf/SKILL.md",
    root: "/s/pdf",
    description: null,
    frontmatter: {},
    body: "The body.",
  };
  return {
    skill,
    name: "pdf",
    path: "/w/.agents/skills/pdf",
    systemPrompt: { source: "skill-md", text: "The body.", ...systemPrompt },
  };
}
