import type { Json } from "../../../domain/json.ts";
import { listAt, type Loose, numberOrNull, textAt } from "../../../lib/loose.ts";

/** A tool call with its answer so far. */
export interface ToolUse {
  readonly tool: string;
  readonly input: Json;
  readonly answer: { readonly output: string; readonly isError: boolean; readonly denied: boolean };
}

/** What an entry of the stream says about a tool; null when it is no tool call. */
export function toolUseOf(part: Loose): ToolUse | null {
  const denied = part["status"] === "declined";
  const failed = part["status"] === "failed" || denied;
  switch (part["type"]) {
    case "command_execution": {
      const isError = failed || (numberOrNull(part, "exit_code") ?? 0) !== 0;
      return {
        tool: "shell",
        input: { command: textAt(part, "command") },
        answer: { output: textAt(part, "aggregated_output"), isError, denied },
      };
    }
    case "file_change":
      return {
        tool: "apply_patch",
        input: { changes: listAt(part, "changes") as readonly Json[] },
        answer: { output: textAt(part, "status"), isError: failed, denied },
      };
    case "mcp_tool_call":
      return {
        tool: `mcp__${textAt(part, "server")}__${textAt(part, "tool")}`,
        input: (part["arguments"] ?? {}) as Json,
        answer: { output: JSON.stringify(part["result"] ?? part["error"] ?? ""), isError: failed, denied },
      };
    case "web_search":
      return {
        tool: "web_search",
        input: { query: textAt(part, "query") },
        answer: { output: "", isError: failed, denied },
      };
    default:
      return null;
  }
}
