import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Fixture } from "../../../domain/suite.ts";
import type { DocNode } from "../../../lib/document/node.ts";
import { normalizeRelative, pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import { object, required } from "../../../lib/shape/object.ts";
import { INVALID, invalid, pathText, type ReadContext, type Shape } from "../../../lib/shape/shape.ts";
import { list, text, wrongType } from "../../../lib/shape/values.ts";

/** A declared file, before it is looked for. */
export type DeclaredFile =
  | { readonly kind: "path"; readonly declared: string; readonly offset: number }
  | { readonly kind: "inline"; readonly target: string; readonly content: string };

const INLINE = object(
  { name: required(text()), content: required(text({ blank: "allowed" })) },
  { unknownKeys: "error", hints: { path: "name", filename: "name", text: "content" } },
);

export const FILES: Shape<readonly DeclaredFile[]> = list({
  schema: { anyOf: [text().schema, INLINE.schema] },
  read(node, context) {
    if (node.kind === "object") return readInline(node, context);
    if (node.kind !== "string") return wrongType(node, context, "a path, or an object with name and content");
    const problem = pathProblem(node.value);
    if (problem === null || problem === "absolute" || problem === "home") {
      return { kind: "path", declared: node.value, offset: node.start };
    }
    return badPath(node, node.value, context);
  },
});

function readInline(node: DocNode, context: ReadContext): DeclaredFile | typeof INVALID {
  const inline = INLINE.read(node, context);
  if (inline === INVALID) return INVALID;
  if (pathProblem(inline.name) !== null || normalizeRelative(inline.name) === "") {
    return badPath(node, inline.name, context);
  }
  return { kind: "inline", target: normalizeRelative(inline.name), content: inline.content };
}

function badPath(node: DocNode, path: string, context: ReadContext): typeof INVALID {
  const problem = pathProblem(path);
  return invalid(context, node, {
    code: "bad-path",
    message: `${pathText(context.path)} ${problem === null ? "names no file" : pathProblemText(problem)}: ${JSON.stringify(path)}`,
    hint: "give a path relative to the skill",
  });
}

export interface FileRoots {
  /** The eval file itself; it must not be shown to an agent. */
  readonly evalFile: string;
  readonly skillRoot: string | null;
  readonly projectRoot: string | null;
}

/**
 * Where each declared file is. Looked for in the skill, beside the eval file, in `files/` there, then in the project.
 * One that cannot be staged has a `problem`, which is a note here and an error for its case at run.
 */
export async function locateFiles(
  files: readonly DeclaredFile[],
  roots: FileRoots,
  context: ReadContext,
): Promise<readonly Fixture[]> {
  return Promise.all(
    files.map(async (file): Promise<Fixture> => {
      if (file.kind === "inline") return file;
      const { source, problem, others } = await locate(file.declared, roots);
      const note = (code: string, message: string) =>
        context.report({ severity: "note", offset: file.offset, code, message });
      if (problem !== null) note("missing-file", `the file ${JSON.stringify(file.declared)} ${problem}`);
      if (source !== null && others.length > 0) {
        note(
          "ambiguous-file",
          `the file ${JSON.stringify(file.declared)} is in several places: ${source} is used, not ${others.join(", ")}`,
        );
      }
      return { kind: "path", declared: file.declared, source, target: targetOf(file.declared), problem };
    }),
  );
}

interface Found {
  readonly source: string | null;
  readonly problem: string | null;
  readonly others: readonly string[];
}

async function locate(declared: string, roots: FileRoots): Promise<Found> {
  const unusable = pathProblem(declared);
  if (unusable !== null) return none(`${pathProblemText(unusable)}, so other machines do not have it`);
  const evalsDirectory = dirname(roots.evalFile);
  const bases = [roots.skillRoot, evalsDirectory, join(evalsDirectory, "files"), roots.projectRoot];
  const hits: { path: string; real: string; base: string }[] = [];
  for (const base of new Set(bases)) {
    if (base === null) continue;
    const path = join(base, normalizeRelative(declared));
    const real = await realOrNull(path);
    if (real !== null && !hits.some((hit) => hit.real === real)) hits.push({ path, real, base });
  }
  const [hit, ...others] = hits;
  if (hit === undefined) return none("does not exist");
  if (!(await isContained(hit.real, roots))) return none("is a link to a place outside the project");
  if (!(await staysInBase(hit, roots))) return none("is a link that points outside the skill");
  if (await isPrivate(hit.real, roots)) return none("is private to the project's developers");
  if (isWithin(await realOrSame(roots.evalFile), hit.real)) return none("contains the eval file itself");
  return { source: hit.path, problem: null, others: others.map((other) => other.path) };
}

function none(problem: string): Found {
  return { source: null, problem, others: [] };
}

/** Links may lead anywhere in the project, the skill, or the evals directory. */
async function isContained(real: string, roots: FileRoots): Promise<boolean> {
  const allowed = [roots.skillRoot, dirname(roots.evalFile), roots.projectRoot].filter(
    (root) => root !== null,
  );
  const realRoots = await Promise.all(allowed.map(realOrSame));
  return realRoots.some((root) => isWithin(real, root));
}

/** A link that leaves the skill could lead to what its author must not see, such as a file that git ignores. */
async function staysInBase(
  { real, base }: { real: string; base: string },
  roots: FileRoots,
): Promise<boolean> {
  const own = [base, roots.skillRoot, dirname(roots.evalFile)].filter((root) => root !== null);
  const realRoots = await Promise.all(own.map(realOrSame));
  return realRoots.some((root) => isWithin(real, root));
}

/** The project's history, and files of variables. */
async function isPrivate(real: string, { projectRoot, evalFile, skillRoot }: FileRoots): Promise<boolean> {
  const own = await Promise.all([dirname(evalFile), skillRoot ?? dirname(evalFile)].map(realOrSame));
  if (projectRoot === null || own.some((root) => isWithin(real, root))) return false;
  const parts = relative(await realOrSame(projectRoot), real).split(sep);
  return parts.includes(".git") || basename(real).startsWith(".env");
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

async function realOrSame(path: string): Promise<string> {
  return (await realOrNull(path)) ?? path;
}

/** Files are staged at their declared path; one from elsewhere under its name. */
function targetOf(declared: string): string {
  return pathProblem(declared) === null
    ? normalizeRelative(declared)
    : basename(declared.replaceAll("\\", "/"));
}
