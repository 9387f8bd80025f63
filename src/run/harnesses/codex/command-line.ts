import type { Json, JsonObject } from "../../../domain/json.ts";
import type { Prompt } from "../../../domain/suite.ts";
import { listAt, objectAt, textOrNull } from "../../../lib/loose.ts";
import type { Endpoint, HarnessContext, HarnessOptions, StagedSkill } from "../../harness.ts";
import { promptTexts } from "../../prompt.ts";
import { agentConfigDirectory } from "../../workspace/env.ts";

/** Arguments for one turn; the prompt goes in on standard input. */
export function codexArgs(
  options: HarnessOptions,
  endpoint: Endpoint | null,
  resume: string | null,
): string[] {
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...permissions(options),
    // Both are needed: without either the client waits for hosts that it may not be able to reach.
    "-c",
    "analytics.enabled=false",
    "--disable",
    "plugins",
    "-c",
    "skills.bundled.enabled=false",
    ...(endpoint === null ? [] : service(endpoint)),
    ...(options.model === null ? [] : ["-m", options.model]),
    ...options.extraArgs,
    ...(resume === null ? [] : ["resume", resume]),
    "-",
  ];
}

/** Names the variable the client reads its key from, so that the key is not on the command line. */
const KEY_VARIABLE = "ASSAY_MODEL_TOKEN";

/** With a configuration directory of the trial's own. */
export function codexEnv(
  context: Pick<HarnessContext, "env" | "places" | "endpoint">,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  const { env, endpoint, places } = context;
  return {
    ...env,
    CODEX_HOME: agentConfigDirectory(places.home),
    ...(endpoint === null ? login(credentials) : { [KEY_VARIABLE]: endpoint.token }),
  };
}

/** The client reads a key that it was never logged in with from one variable only. */
function login(credentials: Readonly<Record<string, string>>): Record<string, string> {
  const key = credentials["CODEX_API_KEY"] ?? credentials["OPENAI_API_KEY"];
  return { ...credentials, ...(key === undefined ? {} : { CODEX_API_KEY: key }) };
}

/**
 * `$skill args`, or the text of a command, which the client cannot find, before its arguments. The system prompt stands
 * before that; where it is the skill's own body, the invocation brings it.
 */
export function codexPrompts(prompt: Prompt, skill: StagedSkill | null): readonly string[] {
  return promptTexts(prompt, (name, args) => withSystemPrompt(skill, invocation(skill, name, args)), skill);
}

function invocation(skill: StagedSkill | null, name: string, args: string): string {
  if (skill?.skill.layout === "command") return `${skill.skill.body.trim()}\n\n${args}`.trim();
  return `$${name} ${args}`.trimEnd();
}

function withSystemPrompt(skill: StagedSkill | null, invoked: string): string {
  if (skill === null || skill.systemPrompt.source === "skill-md") return invoked;
  return `${skill.systemPrompt.text.trimEnd()}\n\n${invoked}`;
}

function permissions({ permissionMode }: HarnessOptions): string[] {
  return permissionMode === null ? ["--dangerously-bypass-approvals-and-sandbox"] : ["-s", permissionMode];
}

function service({ baseUrl }: Endpoint): string[] {
  const provider = [
    'name="assay"',
    `base_url=${JSON.stringify(`${baseUrl}/v1`)}`,
    'wire_api="responses"',
    `env_key="${KEY_VARIABLE}"`,
    "request_max_retries=2",
    "stream_max_retries=2",
    "stream_idle_timeout_ms=60000",
  ];
  return ["-c", "model_provider=assay", "-c", `model_providers.assay={${provider.join(",")}}`];
}

/** The servers in the client's own configuration language. */
export function mcpToml(servers: JsonObject): string {
  return Object.entries(servers)
    .map(([name, server]) => `[mcp_servers.${JSON.stringify(name)}]\n${serverLines(server).join("\n")}\n`)
    .join("\n");
}

function serverLines(server: Json): readonly string[] {
  const command = textOrNull(server, "command");
  const url = textOrNull(server, "url");
  const lines = [
    ["command", command === null ? null : JSON.stringify(command)],
    ["args", command === null ? null : JSON.stringify(listAt(server, "args").map(String))],
    ["env", table(objectAt(server, "env"))],
    ["url", url === null ? null : JSON.stringify(url)],
    ["http_headers", table(objectAt(server, "headers"))],
  ];
  return lines.filter(([, value]) => value !== null).map(([key, value]) => `${key} = ${value}`);
}

function table(values: Readonly<Record<string, unknown>>): string | null {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return `{ ${entries.map(([key, value]) => `${JSON.stringify(key)} = ${JSON.stringify(String(value))}`).join(", ")} }`;
}
