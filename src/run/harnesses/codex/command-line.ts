import type { Prompt } from "../../../domain/suite.ts";
import type { Endpoint, HarnessContext, HarnessOptions, StagedSkill } from "../../harness.ts";
import { promptTexts } from "../../prompt.ts";

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

export function codexEnv(
  context: HarnessContext,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  const { env, endpoint } = context;
  return { ...env, ...(endpoint === null ? credentials : { [KEY_VARIABLE]: endpoint.token }) };
}

/** `$skill args` where the client can find the skill; otherwise what it should know, then the arguments. */
export function codexPrompts(prompt: Prompt, skill: StagedSkill | null): readonly string[] {
  return promptTexts(
    prompt,
    (name, args) => {
      if (skill === null) return args;
      const { source, text } = skill.systemPrompt;
      if (source === "skill-md" && skill.skill.layout === "directory") return `$${name} ${args}`.trimEnd();
      return `${text}\n\n${args}`;
    },
    skill,
  );
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
