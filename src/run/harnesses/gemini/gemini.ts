import type { Json } from "../../../domain/json.ts";
import { type Loose, numberOrNull, objectAt, textAt, textOrNull } from "../../../lib/loose.ts";
import type { ClientOptions } from "../../client.ts";
import { type EventClient, eventClient } from "../../event-client/event-client.ts";
import type { ClientStream } from "../../event-client/client-stream.ts";
import type { Harness } from "../../harness.ts";

/** Gemini CLI, by `gemini -o stream-json`; further turns resume the trial's latest session, which is its only one. */
export function gemini(options: ClientOptions): Harness {
  return eventClient(CLIENT, options);
}

const CLIENT: EventClient = {
  name: "gemini",
  title: "Gemini CLI",
  install: "npm install -g @google/gemini-cli",
  skillsFolder: ".agents/skills",
  needsOnlyModel: true,
  // It makes the ids of calls itself.
  quotesModel: { callIds: false },
  cannot: ["maxTurns"],
  args: ({ options, sessionId }) => [
    "--output-format=stream-json",
    `--approval-mode=${options.permissionMode ?? "yolo"}`,
    ...(options.model === null ? [] : [`--model=${options.model}`]),
    ...(options.allowedTools ?? []).map((tool) => `--allowed-tools=${tool}`),
    ...(sessionId === null ? [] : ["--resume=latest"]),
  ],
  env: ({ context: { endpoint }, credentials }) => ({
    ...(endpoint === null
      ? credentials
      : { GOOGLE_GEMINI_BASE_URL: endpoint.baseUrl, GEMINI_API_KEY: endpoint.token }),
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  files: ({ context: { mcpServers } }) => ({
    ".gemini/settings.json": JSON.stringify({ ...SETTINGS, ...(mcpServers && { mcpServers }) }),
  }),
  read: readEvent,
};

/** A key rather than a login, no side traffic, none of the client's own skills. */
const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  skills: { disabled: ["skill-creator", "antigravity-support"] },
};

function readEvent(event: Loose, stream: ClientStream): void {
  switch (event["type"]) {
    case "init":
      stream.opened({ sessionId: textOrNull(event, "session_id"), model: textOrNull(event, "model") });
      break;
    case "message":
      if (event["role"] === "assistant") stream.piece(textAt(event, "content"));
      break;
    case "tool_use":
      stream.call(textAt(event, "tool_id"), textAt(event, "tool_name"), (event["parameters"] ?? {}) as Json);
      break;
    case "tool_result":
      toolResult(event, stream);
      break;
    case "error":
      stream.warn(textAt(event, "message"));
      break;
    case "result":
      end(event, stream);
      break;
    default:
      break;
  }
}

/** The client shows a command's output without its exit code, so only a tool that refused its input counts as failed. */
function toolResult(event: Loose, stream: ClientStream): void {
  const isError = event["status"] === "error";
  const output = textAt(event, "output") || textAt(objectAt(event, "error"), "message");
  const denied = isError && /denied by policy|rejected|not allowed/iu.test(output);
  stream.result(textAt(event, "tool_id"), output, { isError, denied });
}

function end(event: Loose, stream: ClientStream): void {
  stream.text();
  stream.completed = true;
  if (event["status"] === "error") stream.fail(errorText(textAt(objectAt(event, "error"), "message")));
  const stats = objectAt(event, "stats");
  // Zeros are how the client says that nobody counted.
  if ((numberOrNull(stats, "input_tokens") ?? 0) === 0) return;
  stream.used({
    inputTokens: numberOrNull(stats, "input"),
    outputTokens: numberOrNull(stats, "output_tokens"),
    cacheReadTokens: numberOrNull(stats, "cached"),
  });
}

/** Without the brackets that the client puts around what a service said, and the service's around its message. */
function errorText(message: string): string {
  const said = /^\[API Error: ([\s\S]*)\]$/u.exec(message)?.[1] ?? message;
  try {
    const { code, message: words } = objectAt(JSON.parse(said) as unknown, "error");
    return `${String(code)} ${String(words)}`;
  } catch {
    return said;
  }
}
