import { messagesUsage } from "../../../wires/messages/usage.ts";
import {
  listAt,
  type Loose,
  numberOrNull,
  objectAt,
  parseLine,
  textAt,
  textOrNull,
} from "../../../lib/loose.ts";
import type { Said } from "../../asking/ask-twice.ts";
import { withoutGateway } from "../../../providers/gateway-words.ts";
import type { CliClient, CliPrompt, CliSettings, Prepared } from "./client.ts";
import { textOf } from "./client.ts";
import { lasting } from "./lasting.ts";

/**
 * Claude Code without tools, settings, memory, skills or commands, in the login of whoever is logged in. What it reads is
 * not to be trusted: a text that begins with a slash would be taken for a command, and `@path` for a file to send along.
 */
export const claude: CliClient = {
  name: "claude",
  takesImages: true,
  prepare(prompt, settings): Prepared {
    const images = prompt.parts.some((part) => part.kind === "image");
    return {
      args: claudeArgs(prompt, { ...settings, images }),
      env: claudeEnv(settings),
      stdin: images ? blocks(prompt) : `${opening(prompt)}${textOf(prompt.parts)}`,
    };
  },
  read(stdout) {
    const events = stdout
      .split("\n")
      .map(parseLine)
      .filter((event) => event !== null);
    const result = events.findLast((event) => event["type"] === "result");
    return result === undefined ? null : readResult(result);
  },
};

function claudeArgs(prompt: CliPrompt, { model, images }: CliSettings & { images: boolean }): string[] {
  return [
    "-p",
    "--output-format=stream-json",
    "--verbose",
    ...(images ? ["--input-format=stream-json"] : []),
    "--tools=",
    "--setting-sources=",
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--no-session-persistence",
    `--system-prompt=${fitsArgument(prompt.system) ? prompt.system : "Follow the instructions of the user."}`,
    `--model=${model}`,
  ];
}

function claudeEnv({ endpoint }: CliSettings): Record<string, string> {
  return {
    ...(endpoint === null
      ? {}
      : {
          ANTHROPIC_BASE_URL: endpoint.baseUrl,
          [endpoint.loggedIn === true ? "CLAUDE_CODE_OAUTH_TOKEN" : "ANTHROPIC_API_KEY"]: endpoint.token,
        }),
    CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "3",
    DISABLE_AUTOUPDATER: "1",
  };
}

/** Never begins with a slash, whatever follows. */
function opening({ system }: CliPrompt): string {
  return fitsArgument(system) ? "The question:\n\n" : `${system}\n\nThe question:\n\n`;
}

/** Images only come in as JSON. The last text is the one that is searched for commands and files, so it is ours. */
function blocks(prompt: CliPrompt): string {
  const content = [
    { type: "text", text: opening(prompt) },
    ...prompt.parts.map((part) =>
      part.kind === "text"
        ? { type: "text", text: part.text }
        : { type: "image", source: { type: "base64", media_type: part.mediaType, data: part.base64 } },
    ),
    { type: "text", text: "Answer now." },
  ];
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
}

/** Linux takes no argument over 128 KiB. */
function fitsArgument(text: string): boolean {
  return Buffer.byteLength(text) < 100_000;
}

/** The subtype says "success" whatever happened; `is_error` does not lie. */
function readResult(result: Loose): Said {
  const usage = {
    ...messagesUsage(objectAt(result, "usage")),
    costUsd: numberOrNull(result, "total_cost_usd"),
  };
  const text = textAt(result, "result");
  const stop = textAt(result, "stop_reason");
  if (stop === "refusal") return { status: "said", text, stop: "refused", usage };
  if (stop === "max_tokens") return { status: "said", text, stop: "cut", usage };
  if (result["is_error"] === true) {
    const errors = listAt(result, "errors").map(String).join("; ");
    const words = withoutGateway(text || errors) || "an error without a message";
    return { status: "silent", reason: `claude: ${words}`, usage, ...lasting(words) };
  }
  if (numberOrNull(result, "num_turns") === 0 && textOrNull(result, "stop_reason") === null)
    return { status: "silent", reason: `claude did not ask its model: ${text}`, usage, ...lasting(text) };
  return { status: "said", text, stop: "end", usage };
}
