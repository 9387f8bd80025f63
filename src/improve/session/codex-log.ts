import { contentText, listAt, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import type { LogReader, Tell } from "./session.ts";
import { printedFile, writtenFile } from "./shell.ts";

const RECORDS = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
  "world_state",
]);

/** The rollout file that Codex keeps of a session. */
export function codexLog(tell: Tell): LogReader {
  let version: string | null = null;
  let cwd: string | null = null;
  const reads = new Map<string, string>();
  const item = (payload: Readonly<Record<string, unknown>>) => {
    switch (payload["type"]) {
      case "message": {
        const text = contentText(payload["content"]).trim();
        if (text === "") return;
        if (payload["role"] === "assistant") tell({ kind: "assistant", text });
        if (payload["role"] === "user" && !isMachine(text)) tell({ kind: "user", text });
        return;
      }
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call":
        return call(payload);
      case "function_call_output":
      case "custom_tool_call_output":
        return answer(payload);
    }
  };
  const call = (payload: Readonly<Record<string, unknown>>) => {
    const command = commandOf(payload);
    for (const path of patchedFiles(command)) tell({ kind: "wrote", path });
    const printed = printedFile(command);
    const written = writtenFile(command);
    if (printed !== null) reads.set(textAt(payload, "call_id"), printed);
    if (written !== null) tell({ kind: "wrote", path: written });
  };
  const answer = (payload: Readonly<Record<string, unknown>>) => {
    const path = reads.get(textAt(payload, "call_id"));
    if (path === undefined) return;
    const content = outputOf(payload["output"]);
    tell({
      kind: "read",
      path,
      content,
      whole: !/\[?(?:… ?)?\d+ (?:tokens|lines|chars)[^\n]*(?:omitted|truncated)/.test(content),
    });
  };
  return {
    get version() {
      return version;
    },
    get cwd() {
      return cwd;
    },
    hear(record) {
      if (!RECORDS.has(String(record["type"]))) return false;
      const payload = objectAt(record, "payload");
      if (record["type"] === "session_meta") {
        version ??= textOrNull(payload, "cli_version");
        cwd ??= textOrNull(payload, "cwd");
      }
      if (record["type"] === "response_item") item(payload);
      return true;
    },
  };
}

/** Words of the client in the user's place. */
function isMachine(text: string): boolean {
  return /^(?:<(?:environment_context|user_instructions|permissions|turn_aborted|skill|INSTRUCTIONS)|# AGENTS\.md)/.test(
    text,
  );
}

/** The shell's own words, whichever of its forms the call has. */
function commandOf(payload: Readonly<Record<string, unknown>>): string {
  const raw = textAt(payload, "arguments") || textAt(payload, "input");
  let input: unknown = null;
  try {
    input = JSON.parse(raw);
  } catch {
    return raw;
  }
  const { command, cmd } = objectAt(input);
  const words = command ?? cmd ?? objectAt(payload, "action")["command"];
  if (typeof words === "string") return words;
  const list = listAt(words).map(String);
  return /^(?:.*\/)?(?:ba|z)?sh$/.test(list[0] ?? "") ? (list.at(-1) ?? "") : list.join(" ");
}

function patchedFiles(command: string): readonly string[] {
  return [...command.matchAll(/^\*\*\* (?:Add|Update) File: (.+)$/gm)].map(([, path = ""]) => path.trim());
}

/** Without what the client says about how the command ended. */
function outputOf(output: unknown): string {
  const raw = typeof output === "string" ? output : contentText(output);
  let text = raw;
  try {
    text = textOrNull(JSON.parse(raw) as unknown, "output") ?? raw;
  } catch {
    // It is the text itself.
  }
  return text.replace(
    /^(?:Chunk ID:[^\n]*\n|Wall time:[^\n]*\n|Process exited[^\n]*\n|Exit code:[^\n]*\n|Original token count:[^\n]*\n|Total output lines:[^\n]*\n)*(?:Output:\n)?/,
    "",
  );
}
