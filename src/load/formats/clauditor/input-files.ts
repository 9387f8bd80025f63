import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import type { Fixture } from "../../../domain/suite.ts";
import { type DocNode, valueOf } from "../../../lib/document/node.ts";
import { pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import type { ReadContext, ShapeProblem } from "../../../lib/shape/shape.ts";

/**
 * The files to stage, flattened to the base names of what they resolve to; null after a problem was reported.
 * Works on the document, so that it speaks even where something else is wrong.
 */
export async function readInputFiles(
  root: DocNode,
  path: string,
  context: ReadContext,
): Promise<readonly Fixture[] | null> {
  const listed = valueOf(root, "input_files");
  const nodes = listed?.kind === "array" ? listed.elements : [];
  const fixtures: Fixture[] = [];
  const problems: ShapeProblem[] = [];
  const places = new Map<string, string>();
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== "string" || node.value.trim() === "") continue;
    const place = `input_files[${index}]`;
    const found = await find(node.value, dirname(path));
    const target = "source" in found ? basename(found.source) : null;
    const before = target === null ? undefined : places.get(target);
    if ("problem" in found) problems.push(problemAt(node, "bad-input-file", `${place} ${found.problem}`));
    else if (target !== null && before !== undefined) {
      const message = `${place} and ${before} are both staged as ${JSON.stringify(target)}`;
      problems.push(problemAt(node, "input-collision", message, "files are staged by base name; rename one"));
    } else if (target !== null) {
      places.set(target, place);
      fixtures.push({ kind: "path", declared: node.value, source: found.source, target, problem: null });
    }
  }
  problems.push(...collisions(root, places));
  for (const problem of problems) context.report(problem);
  return problems.length > 0 ? null : fixtures;
}

async function find(declared: string, directory: string): Promise<{ source: string } | { problem: string }> {
  const unsafe = pathProblem(declared);
  const shown = JSON.stringify(declared);
  if (unsafe !== null) return { problem: `${pathProblemText(unsafe)}: ${shown}` };
  try {
    const root = await realpath(directory);
    const source = await realpath(resolve(root, declared));
    const inside = relative(root, source);
    if (/^\.\.(?:[/\\]|$)/.test(inside) || isAbsolute(inside)) {
      return { problem: `is a symlink out of the eval file's directory: ${shown}` };
    }
    return (await stat(source)).isFile() ? { source } : { problem: `is not a file: ${shown}` };
  } catch (error) {
    return { problem: `${reason(error)}: ${shown}` };
  }
}

function reason(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "does not exist beside the eval file";
    case "ELOOP":
      return "is a symlink loop";
    case "EACCES":
    case "EPERM":
      return "cannot be read: permission denied";
    default:
      return "cannot be read";
  }
}

/** As the document has it for `output_files`. An `output_file` may be an input that the skill changes in place: only what a run wrote counts. */
function collisions(root: DocNode, places: ReadonlyMap<string, string>): readonly ShapeProblem[] {
  const patterns = valueOf(root, "output_files");
  return (patterns?.kind === "array" ? patterns.elements : []).flatMap((node, index) => {
    if (node.kind !== "string") return [];
    const name = node.value.split(/[/\\]/).at(-1) ?? "";
    const input = places.get(name);
    if (input === undefined) return [];
    const message = `output_files[${index}] has the same base name as ${input}: ${JSON.stringify(name)}`;
    return [problemAt(node, "output-collision", message, "capture it under another name, or as output_file")];
  });
}

function problemAt(node: DocNode, code: string, message: string, hint?: string): ShapeProblem {
  return {
    severity: "error",
    offset: node.start,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}
