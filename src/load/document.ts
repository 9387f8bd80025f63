import type { Diagnostic } from "../domain/diagnostic.ts";
import { parseJson } from "../lib/document/json.ts";
import type { DocProblem } from "../lib/document/node.ts";
import { positions } from "../lib/document/position.ts";
import { parseYaml } from "../lib/document/yaml.ts";
import { readTextFile } from "../lib/text-file.ts";
import type { SourceDocument } from "./format.ts";

/** Larger files are not eval files; refusing them keeps memory bounded. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Reads and parses one JSON or YAML file; null after at least one problem was reported. */
export async function readDocument(
  path: string,
  report: (diagnostic: Diagnostic) => void,
): Promise<SourceDocument | null> {
  const text = await readText(path, report);
  if (text === null) return null;
  return parseDocument(path, text, report);
}

/** As `readDocument`, for text that is already at hand. */
export function parseDocument(
  path: string,
  text: string,
  report: (diagnostic: Diagnostic) => void,
): SourceDocument | null {
  const position = positions(text);
  const at = (offset: number) => ({ file: path, ...position(offset) });
  const parsed = /\.ya?ml$/i.test(path) ? parseYaml(text) : parseJson(text);
  if (parsed.ok) return { path, text, root: parsed.root, at };
  for (const problem of parsed.problems) report(toDiagnostic(problem, at));
  return null;
}

/** UTF-8 text without its byte order mark; null after the reason was reported. */
export async function readText(
  path: string,
  report: (diagnostic: Diagnostic) => void,
): Promise<string | null> {
  const read = await readTextFile(path, MAX_FILE_BYTES);
  if (read.ok) return read.text;
  const { code, message, hint } = read;
  report({ severity: "error", code: `file/${code}`, message, at: { file: path, line: 1, column: 1 }, hint });
  return null;
}

function toDiagnostic(problem: DocProblem, at: SourceDocument["at"]): Diagnostic {
  return {
    severity: "error",
    code: `file/${problem.code}`,
    message: problem.message,
    at: at(problem.offset),
    hint: problem.hint ?? null,
  };
}
