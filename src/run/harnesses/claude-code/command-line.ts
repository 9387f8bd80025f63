import { join } from "node:path";
import type { ClientOptions } from "../../client.ts";
import type { HarnessContext, HarnessOptions } from "../../harness.ts";
import type { Places } from "../../sandbox.ts";
import { agentConfigDirectory } from "../../workspace/env.ts";

/** Arguments for one turn. The prompt goes in on standard input, so no flag can swallow it and its size is free. */
export function claudeArgs(
  options: HarnessOptions,
  { resume, mcpConfig }: { resume: string | null; mcpConfig: string | null },
): string[] {
  return [
    "-p",
    "--output-format=stream-json",
    "--verbose",
    "--setting-sources=project",
    "--strict-mcp-config",
    ...flag("--mcp-config", mcpConfig),
    ...permissions(options),
    ...flag("--model", options.model),
    ...flag("--max-turns", options.maxTurns),
    ...flag("--resume", resume),
    ...options.extraArgs,
  ];
}

/** What an agent may do that is only asked about its work. Whatever is not allowed is denied without a question. */
export const LOOK_ONLY = {
  permissionMode: "dontAsk",
  allowedTools: ["Read", "Glob", "Grep"],
} as const satisfies Partial<HarnessOptions>;

/** Where the client looks for a session when it is started in this workspace, relative to HOME. */
export function sessionPath({ workspace }: Pick<Places, "workspace">, id: string): string {
  const project = workspace.replaceAll(/[^A-Za-z0-9]/g, "-");
  return join(agentConfigDirectory("."), "projects", project, `${id}.jsonl`);
}

/** A fresh configuration directory, no side traffic, no bundled skills, no memory of other sessions. */
export function claudeEnv(
  context: Pick<HarnessContext, "env" | "places" | "endpoint">,
  options: HarnessOptions,
  { credentials, loggedIn = false }: Pick<ClientOptions, "credentials" | "loggedIn">,
): Record<string, string> {
  const { places, endpoint } = context;
  return {
    ...context.env,
    ...(endpoint === null
      ? credentials
      : {
          ANTHROPIC_BASE_URL: endpoint.baseUrl,
          [loggedIn ? "CLAUDE_CODE_OAUTH_TOKEN" : "ANTHROPIC_API_KEY"]: endpoint.token,
        }),
    CLAUDE_CONFIG_DIR: agentConfigDirectory(places.home),
    CLAUDE_CODE_TMPDIR: places.temp,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_MAX_RETRIES: "3",
    DISABLE_AUTOUPDATER: "1",
    /** Lets the client skip its permission questions for root; the sandbox is ours. */
    IS_SANDBOX: "1",
    ...(options.syncTasks ? { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } : {}),
  };
}

function permissions({ permissionMode, allowedTools }: HarnessOptions): string[] {
  if (permissionMode === null && allowedTools === null) return ["--dangerously-skip-permissions"];
  return [
    `--permission-mode=${permissionMode ?? "dontAsk"}`,
    ...(allowedTools === null ? [] : [`--allowedTools=${allowedTools.join(",")}`]),
  ];
}

function flag(name: string, value: string | number | null): string[] {
  return value === null ? [] : [`${name}=${value}`];
}
