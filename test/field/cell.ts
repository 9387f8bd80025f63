import { chmod, copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Ended, realProcess } from "./real-process.ts";
import { GOOD } from "./strict-service.ts";

export const AGENTS = ["claude", "codex", "builtin"] as const;
export const CREDENTIALS = [
  "API key",
  "credentials file",
  "OAuth token",
  "none",
  "wrong key",
  "the other vendor's key",
] as const;
export const JUDGES = ["auto", "api", "cli"] as const;

export interface Cell {
  readonly agent: (typeof AGENTS)[number];
  readonly credentials: (typeof CREDENTIALS)[number];
  readonly judge: (typeof JUDGES)[number];
}

export const CELLS: readonly Cell[] = AGENTS.flatMap((agent) =>
  CREDENTIALS.flatMap((credentials) => JUDGES.map((judge) => ({ agent, credentials, judge }))),
);

/** What is on a machine: variables, and files below HOME. */
interface Given {
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

export function givenFor({ agent, credentials }: Cell, url: string): Given {
  const own = agent === "codex" ? "openai" : "anthropic";
  const other = own === "openai" ? "anthropic" : "openai";
  const addresses = { anthropic: { ANTHROPIC_BASE_URL: url }, openai: { OPENAI_BASE_URL: url } };
  const key = (vendor: "anthropic" | "openai", value: string): Given => ({
    env: { ...addresses[vendor], [vendor === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"]: value },
    files: {},
  });
  const good = { anthropic: GOOD.anthropicKey, openai: GOOD.openaiKey };
  switch (credentials) {
    case "API key":
      return key(own, good[own]);
    case "wrong key":
      return key(own, "sk-wrong-key-of-nobody");
    case "the other vendor's key":
      return key(other, good[other]);
    case "credentials file":
      return { env: agent === "builtin" ? {} : addresses[own], files: credentialsFile(own) };
    case "OAuth token":
      return {
        env: {
          CLAUDE_CODE_OAUTH_TOKEN: GOOD.claudeToken,
          ...(agent === "claude" ? addresses.anthropic : {}),
        },
        files: {},
      };
    case "none":
      return { env: {}, files: {} };
  }
}

function credentialsFile(vendor: "anthropic" | "openai"): Readonly<Record<string, string>> {
  const claude = { accessToken: GOOD.claudeToken, refreshToken: "sk-ant-ort01-field", expiresAt: 4e12 };
  const codex = { access_token: GOOD.codexToken, refresh_token: "rt-field-codex", account_id: GOOD.account };
  return vendor === "anthropic"
    ? { ".claude/.credentials.json": JSON.stringify({ claudeAiOauth: claude }) }
    : { ".codex/auth.json": JSON.stringify({ OPENAI_API_KEY: null, tokens: codex }) };
}

export const PROJECT = {
  "assay.config.json": "{}",
  "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", expectations: ["The answer greets Ada"] }],
  }),
};

/** The programs that stand for the clients, absolute. */
export interface Clients {
  readonly claude: string;
  readonly codex: string;
}

/** The stub clients on a search path of their own; `seen` is what they were given. */
export async function stubClients(): Promise<
  Clients & AsyncDisposable & { readonly seen: () => Promise<string> }
> {
  const tree = await tempTree();
  for (const name of ["claude", "codex"]) {
    const source = fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));
    await mkdir(tree.path(name));
    await copyFile(source, tree.path(`${name}/${name}.mjs`));
    await chmod(tree.path(`${name}/${name}.mjs`), 0o755);
  }
  return {
    claude: tree.path("claude/claude.mjs"),
    codex: tree.path("codex/codex.mjs"),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
    seen: async () =>
      (
        await Promise.all(
          ["claude", "codex"].map((name) =>
            readFile(tree.path(`${name}/seen.jsonl`), "utf8").catch(() => ""),
          ),
        )
      ).join(""),
  };
}

export interface CellRun extends Ended, AsyncDisposable {
  readonly home: TempTree;
  readonly project: TempTree;
}

/** One real process of the built command in a HOME of its own. */
export async function runCell(
  cell: Cell,
  {
    command,
    url,
    clients,
    args = [],
  }: { command: string; url: string; clients: Clients; args?: readonly string[] },
): Promise<CellRun> {
  const given = givenFor(cell, url);
  const home = await tempTree(given.files);
  const project = await tempTree({
    ...PROJECT,
    "bin/claude": `->${clients.claude}`,
    "bin/codex": `->${clients.codex}`,
  });
  const harness = { claude: "claude-code", codex: "codex", builtin: "builtin" }[cell.agent];
  const words = [
    "run",
    "skills/greeter",
    "--harness",
    harness,
    "--transport",
    cell.judge,
    "--sandbox",
    "none",
    ...args,
  ];
  const env = {
    PATH: `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home.root,
    TMPDIR: home.path("tmp"),
    ...given.env,
  };
  await mkdir(join(home.root, "tmp"));
  const ended = await realProcess([process.execPath, command, ...words], { cwd: project.root, env });
  return {
    ...ended,
    home,
    project,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}
