import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Check } from "../../domain/check.ts";
import type { Json } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, Fixture, FormatName, Prompt } from "../../domain/suite.ts";
import { renamer } from "../../lib/rename-in-text.ts";

export interface FixtureFile {
  /** Below the evals directory, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

interface Placing {
  readonly skill: Skill;
  readonly to: FormatName;
  /** Where the evals go. */
  readonly directory: string;
  /** What BMad's paths start from; null: nothing says. */
  readonly projectRoot: string | null;
}

/**
 * The cases with their inline files as files of their own below `files/`, and those files. An entry names the path, and
 * agents find the file there, so what the prompt and the checks call it is changed with it.
 */
export function fixtureFiles(
  cases: readonly Case[],
  placing: Placing,
): { readonly cases: readonly Case[]; readonly files: readonly FixtureFile[] } {
  if (placing.to === "skillet") return { cases, files: [] };
  const files = new Map<string, FixtureFile>();
  const placed = cases.map((one) => {
    let changed = one;
    for (const fixture of one.files) {
      if (fixture.kind === "path") continue;
      const name = freeName(fixture, { id: one.id, files, directory: placing.directory });
      files.set(name, { name, text: fixture.content });
      changed = withFile(changed, fixture, {
        declared: declaredPath(name, placing),
        isStagedByName: placing.to === "clauditor",
      });
    }
    return changed;
  });
  return { cases: placed, files: [...files.values()] };
}

type Inline = Fixture & { readonly kind: "inline" };

function freeName(
  { target, content }: Inline,
  { id, files, directory }: { id: string; files: ReadonlyMap<string, FixtureFile>; directory: string },
): string {
  const isFree = (name: string) =>
    (files.get(name)?.text ?? content) === content && !existsSync(join(directory, name));
  const wanted = [`files/${target}`, `files/${id}/${target}`];
  const free = wanted.find(isFree);
  if (free !== undefined) return free;
  let number = 2;
  while (!isFree(`files/${id}-${number}/${target}`)) number++;
  return `files/${id}-${number}/${target}`;
}

/** As each format resolves it: skill-creator from the skill, BMad from the project, clauditor from its own file. */
function declaredPath(name: string, { skill, to, directory, projectRoot }: Placing): string {
  const base = { "skill-creator": skill.root, bmad: projectRoot, clauditor: directory, skillet: null }[to];
  const way = base === null ? ".." : relative(base, join(directory, name)).replaceAll("\\", "/");
  return way.startsWith("..") ? name : way;
}

function withFile(
  one: Case,
  { target, content }: Inline,
  { declared, isStagedByName }: { declared: string; isStagedByName: boolean },
): Case {
  const file: Fixture = { kind: "path", declared, source: null, target: declared, problem: null };
  const files = one.files.map((other) =>
    other.kind === "inline" && other.target === target && other.content === content ? file : other,
  );
  if (isStagedByName) return { ...one, files };
  const rename = renamer(target, declared);
  return {
    ...one,
    files,
    prompt: inPrompt(one.prompt, rename),
    checks: one.checks.map((check) => inCheck(check, { target, declared, rename })),
  };
}

function inPrompt(prompt: Prompt, rename: (text: string) => string): Prompt {
  return prompt.kind === "turns"
    ? { kind: "turns", turns: prompt.turns.map(rename) }
    : { kind: "invocation", args: rename(prompt.args) };
}

function inCheck(
  check: Check,
  { target, declared, rename }: { target: string; declared: string; rename: (text: string) => string },
): Check {
  const origin = withName(check.origin, target, declared);
  const renamed = { ...check, text: rename(check.text), origin };
  return "path" in renamed && renamed.path === target ? { ...renamed, path: declared } : renamed;
}

/** The entry as the file spells it, with the path in place of the name. */
function withName(value: Json, name: string, path: string): Json {
  if (value === name) return path;
  if (Array.isArray(value)) return value.map((element: Json) => withName(element, name, path));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withName(inner, name, path)]));
}
