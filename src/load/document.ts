import type { Diagnostic } from "../domain/diagnostic.ts";
import { parseJson } from "../lib/document/json.ts";
import type { DocProblem, Parsed } from "../lib/document/node.ts";
import { positions } from "../lib/document/position.ts";
import { parseYaml } from "../lib/document/yaml.ts";
import { readTextFile } from "../lib/text-file.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import type { SourceDocument } from "./format.ts";

/** Larger files are not eval files; refusing them keeps memory bounded. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Reads and parses one JSON or YAML file, or the frontmatter of a Markdown file; null after at least one problem was reported. */
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
  const parsed = parserFor(path)(text);
  if (parsed.ok) return { path, text, root: parsed.root, at };
  for (const problem of parsed.problems) report(toDiagnostic(problem, at));
  return null;
}

function parserFor(path: string): (text: string) => Parsed {
  if (/\.ya?ml$/i.test(path)) return parseYaml;
  return /\.md$/i.test(path) ? parseFrontmatter : parseJson;
}

/** What a Markdown file says of itself at its head; nothing is said where there is no frontmatter. */
function parseFrontmatter(text: string): Parsed {
  const { frontmatter } = splitFrontmatter(text);
  switch (frontmatter.kind) {
    case "read":
      return { ok: true, root: frontmatter.root };
    case "missing":
      return { ok: true, root: { kind: "object", entries: [], start: 0, end: 0 } };
    case "broken":
      return { ok: false, problems: frontmatter.problems };
  }
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
