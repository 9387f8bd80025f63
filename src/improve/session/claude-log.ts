import { contentText, listAt, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import type { LogReader, Tell } from "./session.ts";
import { printedFile, writtenFile } from "./shell.ts";

const WRITES = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** The log that Claude Code keeps of a session, and its stream of JSON, which has the same messages. */
export function claudeLog(tell: Tell): LogReader {
  let version: string | null = null;
  let cwd: string | null = null;
  const reads = new Map<string, { readonly path: string; readonly whole: boolean }>();
  const call = (block: unknown) => {
    const input = objectAt(block, "input");
    const path = textAt(input, "file_path") || textAt(input, "path");
    const tool = textAt(block, "name");
    if (tool === "Read") {
      const whole = input["offset"] === undefined && input["limit"] === undefined;
      return void reads.set(textAt(block, "id"), { path, whole });
    }
    if (WRITES.has(tool)) return tell({ kind: "wrote", path });
    if (tool !== "Bash") return;
    const printed = printedFile(textAt(input, "command"));
    const written = writtenFile(textAt(input, "command"));
    if (printed !== null) reads.set(textAt(block, "id"), { path: printed, whole: true });
    if (written !== null) tell({ kind: "wrote", path: written });
  };
  const answer = (block: unknown) => {
    const read = reads.get(textAt(block, "tool_use_id"));
    if (read === undefined || objectAt(block)["is_error"] === true) return;
    const content = withoutNumbers(contentText(objectAt(block)["content"]));
    tell({ kind: "read", ...read, content });
  };
  const said = (record: Readonly<Record<string, unknown>>) => {
    const { content } = objectAt(record, "message");
    for (const block of listAt(content)) if (textAt(block, "type") === "tool_result") answer(block);
    if (record["isMeta"] === true || record["isCompactSummary"] === true) return;
    const text = (
      typeof content === "string"
        ? content
        : contentText(listAt(content).filter((block) => textAt(block, "type") === "text"))
    ).trim();
    if (text !== "" && !isMachine(text)) tell({ kind: "user", text: commandText(text) });
  };
  return {
    get version() {
      return version;
    },
    get cwd() {
      return cwd;
    },
    hear(record) {
      const type = record["type"];
      if (type !== "user" && type !== "assistant")
        return record["sessionId"] !== undefined || record["session_id"] !== undefined || type === "summary";
      if (
        textOrNull(record, "sessionId") === null &&
        textOrNull(record, "session_id") === null &&
        record["message"] === undefined
      )
        return false;
      version ??= textOrNull(record, "version");
      cwd ??= textOrNull(record, "cwd");
      if (record["isSidechain"] === true || textOrNull(record, "parent_tool_use_id") !== null) return true;
      if (type === "user") said(record);
      else {
        for (const block of listAt(objectAt(record, "message"), "content")) {
          if (textAt(block, "type") === "text") tell({ kind: "assistant", text: textAt(block, "text") });
          if (textAt(block, "type") === "tool_use") call(block);
        }
      }
      return true;
    },
  };
}

/** Words of the client in the user's place. */
function isMachine(text: string): boolean {
  return /^(?:<(?:system-reminder|local-command|command-message|task-notification|bash-)|Caveat: |\[Request interrupted)/.test(
    text,
  );
}

/** A slash command as the person typed it. */
function commandText(text: string): string {
  const [, name] = /<command-name>([^<]+)<\/command-name>/.exec(text) ?? [];
  if (name === undefined) return text;
  const [, args = ""] = /<command-args>([^<]*)<\/command-args>/.exec(text) ?? [];
  return `${name} ${args}`.trim();
}

/** The client puts a number before each line of a file; what it adds about the file is not the file's. */
function withoutNumbers(text: string): string {
  const own = text.replace(/\n*<system-reminder>[\s\S]*?<\/system-reminder>\s*$/, "");
  const lines = own.split("\n");
  const isNumbered = lines.every((line) => line === "" || /^\s*\d+(?:→|\t)/.test(line));
  return isNumbered ? lines.map((line) => line.replace(/^\s*\d+(?:→|\t)/, "")).join("\n") : own;
}
