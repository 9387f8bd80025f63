import { UNKNOWN_USAGE, type Usage } from "../../../domain/run.ts";
import { type Loose, numberOrNull, objectAt, parseLine, textAt } from "../../../lib/loose.ts";
import type { CliClient, CliSettings, Prepared } from "./client.ts";
import { textOf } from "./client.ts";
import { lasting } from "./lasting.ts";

/** Codex without shell, search, settings or rules, in a sandbox that cannot write; its global AGENTS.md it reads all the same. */
export const codex: CliClient = {
  name: "codex",
  takesImages: false,
  prepare(prompt, settings): Prepared {
    return {
      args: codexArgs(settings),
      env: settings.endpoint === null ? {} : { [KEY_VARIABLE]: settings.endpoint.token },
      stdin: `${prompt.system}\n\n${textOf(prompt.parts)}`,
    };
  },
  read(stdout) {
    const events = stdout
      .split("\n")
      .map(parseLine)
      .filter((event) => event !== null);
    const failed = events.findLast((event) => event["type"] === "turn.failed");
    if (failed !== undefined) {
      const words = textAt(objectAt(failed, "error"), "message");
      return { status: "silent", reason: `codex: ${words}`, usage: UNKNOWN_USAGE, ...lasting(words) };
    }
    const done = events.findLast((event) => event["type"] === "turn.completed");
    if (done === undefined) return null;
    const spoken = events
      .map((event) => objectAt(event, "item"))
      .findLast((entry) => entry["type"] === "agent_message");
    const usage = usageOf(objectAt(done, "usage"));
    return { status: "said", text: textAt(spoken, "text"), stop: "end", usage };
  },
};

const KEY_VARIABLE = "ASSAY_MODEL_TOKEN";

function codexArgs({ model, endpoint }: CliSettings): string[] {
  return [
    "exec",
    "--json",
    "--ephemeral",
    "--skip-git-repo-check",
    "--ignore-user-config",
    "--ignore-rules",
    "-s",
    "read-only",
    "--disable",
    "shell_tool",
    "--disable",
    "unified_exec",
    "--disable",
    "plugins",
    "-c",
    "web_search=disabled",
    "-c",
    "project_doc_max_bytes=0",
    "-c",
    "analytics.enabled=false",
    "-c",
    "skills.bundled.enabled=false",
    ...(endpoint === null ? [] : service(endpoint.baseUrl)),
    "-m",
    model,
    "-",
  ];
}

function service(baseUrl: string): string[] {
  const fields = [
    'name="assay"',
    `base_url=${JSON.stringify(`${baseUrl}/v1`)}`,
    'wire_api="responses"',
    `env_key="${KEY_VARIABLE}"`,
  ];
  return ["-c", "model_provider=assay", "-c", `model_providers.assay={${fields.join(",")}}`];
}

function usageOf(usage: Loose): Usage {
  const input = numberOrNull(usage, "input_tokens");
  const cacheRead = numberOrNull(usage, "cached_input_tokens");
  const cacheWrite = numberOrNull(usage, "cache_write_input_tokens");
  return {
    inputTokens: input === null ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    outputTokens: numberOrNull(usage, "output_tokens"),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: numberOrNull(usage, "reasoning_output_tokens"),
    costUsd: null,
  };
}
