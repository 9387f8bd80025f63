import { readFile, stat } from "node:fs/promises";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { parseJson } from "../lib/document/json.ts";
import type { DocProblem } from "../lib/document/node.ts";
import { positions } from "../lib/document/position.ts";
import { parseYaml } from "../lib/document/yaml.ts";
import type { SourceDocument } from "./format.ts";

/** Larger files are not eval files; refusing them keeps memory bounded. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

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
  const refuse = (code: string, message: string, hint: string | null = null): null => {
    report({
      severity: "error",
      code: `file/${code}`,
      message,
      at: { file: path, line: 1, column: 1 },
      hint,
    });
    return null;
  };
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      return refuse(
        "too-large",
        `the file is ${Math.round(size / 1024 / 1024)} MB; an eval file may have ${MAX_FILE_BYTES / 1024 / 1024} MB`,
      );
    }
    bytes = await readFile(path);
  } catch (error) {
    return refuse("unreadable", `cannot be read: ${reason(error)}`);
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return refuse("utf-16", "the file is UTF-16", "save it as UTF-8");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("not-utf-8", "the file is not valid UTF-8", "save it as UTF-8");
  }
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

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EISDIR":
      return "it is a directory";
    case "ELOOP":
      return "its symlinks form a loop";
    default:
      return (error as Error).message;
  }
}
