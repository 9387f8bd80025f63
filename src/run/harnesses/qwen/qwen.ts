import type { Json } from "../../../domain/json.ts";
import type { Usage } from "../../../domain/run.ts";
import {
  contentText,
  listAt,
  type Loose,
  numberOrNull,
  objectAt,
  textAt,
  textOrNull,
} from "../../../lib/loose.ts";
import type { ClientOptions } from "../../client.ts";
import { type EventClient, eventClient } from "../../event-client/event-client.ts";
import type { ClientStream } from "../../event-client/client-stream.ts";
import type { Harness } from "../../harness.ts";

/** Qwen Code, by `qwen -o stream-json` over Chat Completions; further turns resume the session. */
export function qwen(options: ClientOptions): Harness {
  return eventClient(CLIENT, options);
}

const CLIENT: EventClient = {
  name: "qwen",
  title: "Qwen Code",
  install: "npm install -g @qwen-code/qwen-code",
  skillsFolder: ".agents/skills",
  needsOnlyModel: true,
  quotesModel: { callIds: true },
  cannot: [],
  invoke: (name, args) => `/${name} ${args}`.trimEnd(),
  args: ({ options, context, sessionId }) => [
    "--auth-type=openai",
    "--output-format=stream-json",
    `--approval-mode=${options.permissionMode ?? "yolo"}`,
    ...(options.model === null ? [] : [`--model=${options.model}`]),
    ...(options.maxTurns === null ? [] : [`--max-session-turns=${options.maxTurns}`]),
    ...(options.allowedTools ?? []).map((tool) => `--allowed-tools=${tool}`),
    ...(context.mcpServers === null
      ? []
      : [`--mcp-config=${JSON.stringify({ mcpServers: context.mcpServers })}`]),
    ...(sessionId === null ? [] : [`--resume=${sessionId}`]),
  ],
  env: ({ context: { endpoint }, credentials }) => ({
    ...(endpoint === null
      ? credentials
      : { OPENAI_BASE_URL: `${endpoint.baseUrl}/v1`, OPENAI_API_KEY: endpoint.token }),
    QWEN_CODE_NO_RELAUNCH: "true",
  }),
  files: () => ({ ".qwen/settings.json": SETTINGS }),
  read: readEvent,
};

/** No side traffic, and nothing of a project that would connect or run by itself. */
const SETTINGS = JSON.stringify({
  general: { disableAutoUpdate: true, disableUpdateNag: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // The gateway repeats what is worth repeating.
  model: { generationConfig: { maxRetries: 0 } },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
});

function readEvent(event: Loose, stream: ClientStream): void {
  stream.agent = textOrNull(event, "parent_tool_use_id");
  switch (event["type"]) {
    case "system":
      stream.opened({
        sessionId: textOrNull(event, "session_id"),
        model: textOrNull(event, "model"),
        version: textOrNull(event, "qwen_code_version"),
      });
      break;
    case "assistant":
      assistant(objectAt(event, "message"), stream);
      break;
    case "user":
      for (const block of listAt(objectAt(event, "message"), "content"))
        if (objectAt(block)["type"] === "tool_result") toolResult(block, stream);
      break;
    case "result":
      end(event, stream);
      break;
    default:
      break;
  }
}

function assistant(message: Loose, stream: ClientStream): void {
  const usage = usageOf(objectAt(message, "usage"));
  for (const block of listAt(message, "content")) answer(block, usage !== null, stream);
  if (usage !== null) stream.used(usage);
}

/** Zeros are how the client says that nobody counted. After a resume its sum is that of the whole session. */
function usageOf(usage: Loose): Partial<Usage> | null {
  const input = numberOrNull(usage, "input_tokens") ?? 0;
  const cacheReadTokens = numberOrNull(usage, "cache_read_input_tokens");
  if (input === 0) return null;
  return {
    inputTokens: Math.max(0, input - (cacheReadTokens ?? 0)),
    outputTokens: numberOrNull(usage, "output_tokens"),
    cacheReadTokens,
  };
}

function answer(block: unknown, counted: boolean, stream: ClientStream): void {
  switch (objectAt(block)["type"]) {
    case "text": {
      const text = textAt(block, "text");
      const { said, error } = counted ? { said: text, error: null } : apart(text);
      stream.text(said);
      if (error !== null) stream.fail(error);
      break;
    }
    case "thinking":
      stream.thinking(textAt(block, "thinking"));
      break;
    case "tool_use":
      stream.call(textAt(block, "id"), textAt(block, "name"), (objectAt(block)["input"] ?? {}) as Json);
      break;
    default:
      break;
  }
}

/** The client reports a failed request as an answer in brackets that nobody counted, and the turn as a success. */
function apart(text: string): { readonly said: string; readonly error: string | null } {
  const [, said = text, error = null] = /^([\s\S]*?)\[API Error: ([\s\S]*)\]\s*$/u.exec(text) ?? [];
  return { said, error };
}

/** The client shows a command's output without its exit code, so only a tool that refused its input counts as failed. */
function toolResult(block: unknown, stream: ClientStream): void {
  const isError = objectAt(block)["is_error"] === true;
  const output = contentText(objectAt(block)["content"]);
  const denied = isError && /requires permission to use .* was declined/su.test(output);
  stream.result(textAt(block, "tool_use_id"), output, { isError, denied });
}

function end(event: Loose, stream: ClientStream): void {
  stream.completed = true;
  if (event["is_error"] === true && stream.failure === null)
    stream.fail(textOrNull(event, "result") ?? textOrNull(objectAt(event, "error"), "message") ?? "failed");
}
