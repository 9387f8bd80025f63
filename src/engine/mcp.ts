import { resolve } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { JsonObject } from "../domain/json.ts";
import { UserError } from "../domain/user-error.ts";
import { toPlain, valueOf } from "../lib/document/node.ts";
import { readDocument } from "../load/document.ts";
import type { Machine } from "../machine.ts";

/** The servers of a file in the clients' common shape, `{"mcpServers": {...}}`; null when no file is named. */
export async function readMcpServers(path: string | null, machine: Machine): Promise<JsonObject | null> {
  if (path === null) return null;
  const problems: Diagnostic[] = [];
  const document = await readDocument(resolve(machine.cwd, path), (problem) => void problems.push(problem));
  const servers = document === null ? undefined : valueOf(document.root, "mcpServers");
  if (servers?.kind === "object") return toPlain(servers) as JsonObject;
  throw new UserError("run/bad-mcp-file", `${path} lists no MCP servers`, {
    hint: 'it should hold {"mcpServers": {"name": {"command": "...", "args": []}}}',
    diagnostics: problems,
  });
}
