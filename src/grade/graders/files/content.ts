import { compilePython } from "../../../lib/python-regex/compile.ts";
import { DEADLINE_MS, type SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import { readTextFile, type TextFile } from "../../../lib/text-file.ts";
import { plural } from "../../../lib/plural.ts";
import { lineAt, withNewlines } from "../../../lib/newlines.ts";
import { normalizeRelative } from "../../../lib/relative-path.ts";
import type { CheckOf } from "../../code-grader.ts";
import { cut, type Decision, failed, measure, passed, unscored } from "../../decision.ts";
import { decideJson } from "../../json-expectation.ts";
import { pathTest, type WorkspaceFile } from "./workspace.ts";

/** One file that matches is enough; a file that cannot be read keeps the rest from being a failure. */
export async function decideFileMatches(
  { path, pattern }: CheckOf<"file_matches">,
  files: readonly WorkspaceFile[],
  regex: SafeRegex,
): Promise<Decision> {
  const compiled = compilePython(pattern);
  if (!compiled.ok) return unscored(`the pattern cannot be used: ${compiled.message}`);
  const candidates = files.filter((file) => pathTest(path)(file.path));
  if (candidates.length === 0) return failed(`${path} does not exist`, [noSuchFile(path, files)]);
  const problems: string[] = [];
  const deadline = performance.now() + DEADLINE_MS;
  for (const file of candidates) {
    const read = await readStored(file);
    if (!read.ok) {
      problems.push(`${file.path} ${read.message}`);
      continue;
    }
    const text = withNewlines(read.text);
    const deadlineMs = deadline - performance.now();
    if (deadlineMs <= 0) return unscored(`the pattern took longer than ${DEADLINE_MS / 1000} s on ${path}`);
    const searched = await regex.search(compiled.regex, [text], { deadlineMs });
    if (searched.status === "stopped") return unscored(`${file.path}: ${searched.reason}`);
    const [match] = searched.matches;
    if (match === undefined) continue;
    const line = lineAt(text, match.index);
    return passed(`${file.path} matches /${pattern}/`, [
      { kind: "quote", text: cut(match.value), source: { kind: "file", path: file.path, line } },
    ]);
  }
  if (problems.length > 0) return unscored(problems.join("; "));
  const searched = candidates.map((file) => ({ kind: "file", path: file.path, line: null }) as const);
  return failed(`nothing in ${path} matches /${pattern}/`, [{ kind: "absence", searched }]);
}

export async function decideFileJson(
  { path, at, expected }: CheckOf<"file_json">,
  files: readonly WorkspaceFile[],
  regex: SafeRegex,
): Promise<Decision> {
  const file = files.find((one) => one.path === normalizeRelative(path));
  if (file === undefined) return failed(`${path} does not exist`, [noSuchFile(path, files)]);
  const read = await readStored(file);
  if (!read.ok) return unscored(`${path} ${read.message}`);
  const source = { kind: "file", path: file.path, line: null } as const;
  let json: unknown;
  try {
    json = JSON.parse(read.text);
  } catch (error) {
    return failed(`${path} is not JSON: ${(error as Error).message}`, [
      { kind: "quote", text: cut(read.text), source },
    ]);
  }
  return decideJson({ json, at, expected, source }, regex);
}

const MOST_BYTES = 64 * 1024 * 1024;

async function readStored({ stored }: WorkspaceFile): Promise<TextFile> {
  if (stored !== null) return readTextFile(stored, MOST_BYTES);
  return { ok: false, code: "not-captured", message: "was too large to be kept", hint: null };
}

function noSuchFile(path: string, files: readonly WorkspaceFile[]) {
  return measure(`${path} is not among the ${plural(files.length, "file")} of the workspace`);
}
