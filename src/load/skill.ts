import { readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Diagnostic, Location } from "../domain/diagnostic.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Skill } from "../domain/skill.ts";
import { toPlain, valueOf } from "../lib/document/node.ts";
import { positions } from "../lib/document/position.ts";
import { readText } from "./document.ts";
import { type Frontmatter, splitFrontmatter } from "./frontmatter.ts";

/** A skill together with what lint needs to point into its file. */
export interface SkillDocument {
  readonly skill: Skill;
  readonly text: string;
  readonly bodyStart: number;
  readonly frontmatter: Frontmatter;
  readonly at: (offset: number) => Location;
}

/**
 * Reads a SKILL.md, a skill directory or a command file. A broken frontmatter is reported and leaves the skill
 * without a description; null means there is no such file to read.
 */
export async function readSkill(
  path: string,
  report: (diagnostic: Diagnostic) => void,
): Promise<Skill | null> {
  const document = await readSkillDocument(path, report);
  if (document === null) return null;
  for (const diagnostic of frontmatterDiagnostics(document)) report(diagnostic);
  return document.skill;
}

/** As `readSkill`, but what is wrong with the frontmatter is left in the document. */
export async function readSkillDocument(
  path: string,
  report: (diagnostic: Diagnostic) => void,
): Promise<SkillDocument | null> {
  const file = await skillFileAt(resolve(path), report);
  if (file === null) return null;
  const text = await readText(file, report);
  return text === null ? null : parseSkill(file, text);
}

/** As `readSkillDocument`, for text that is already at hand. */
export function parseSkill(file: string, text: string): SkillDocument {
  const { frontmatter, bodyStart } = splitFrontmatter(text);
  const position = positions(text);
  const layout = isSkillFileName(basename(file)) ? "directory" : "command";
  const values = frontmatter.kind === "read" ? (toPlain(frontmatter.root) as JsonObject) : {};
  const description = values["description"];
  const skill: Skill = {
    name: usableName(frontmatter) ?? fallbackName(file, layout),
    layout,
    file,
    root: dirname(file),
    description: typeof description === "string" && description.trim() !== "" ? description : null,
    frontmatter: values,
    body: text.slice(bodyStart),
  };
  return { skill, text, bodyStart, frontmatter, at: (offset) => ({ file, ...position(offset) }) };
}

/** Why the frontmatter could not be read; empty when it could or when there is none. */
export function frontmatterDiagnostics(document: SkillDocument): Diagnostic[] {
  if (document.frontmatter.kind !== "broken") return [];
  return document.frontmatter.problems.map((problem) => ({
    severity: "error",
    code: `skill/frontmatter-${problem.code}`,
    message: problem.message,
    at: document.at(problem.offset),
    hint: problem.hint ?? null,
  }));
}

/** `SKILL.md`; other spellings of its case are read too, because some clients do. */
function isSkillFileName(name: string): boolean {
  return name.toLowerCase() === "skill.md";
}

/** The skill file among a directory's names: the exact spelling first. */
export function skillFileName(names: Iterable<string>): string | null {
  let found: string | null = null;
  for (const name of names) {
    if (name === "SKILL.md") return name;
    if (isSkillFileName(name)) found ??= name;
  }
  return found;
}

async function skillFileAt(path: string, report: (diagnostic: Diagnostic) => void): Promise<string | null> {
  if (/\.md$/i.test(path)) return path;
  const names = await stat(path)
    .then((stats) => (stats.isDirectory() ? readdir(path) : null))
    .catch(() => null);
  if (names === null) return path;
  const name = skillFileName(names);
  if (name !== null) return join(path, name);
  report({
    severity: "error",
    code: "skill/no-skill-file",
    message: "the directory has no SKILL.md",
    at: { file: path, line: 1, column: 1 },
    hint: "pass the directory that contains SKILL.md, or a .claude/commands/<name>.md file",
  });
  return null;
}

function usableName(frontmatter: Frontmatter): string | null {
  if (frontmatter.kind !== "read") return null;
  const name = valueOf(frontmatter.root, "name");
  return name?.kind === "string" && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name.value) ? name.value : null;
}

function fallbackName(file: string, layout: Skill["layout"]): string {
  const name = layout === "directory" ? basename(dirname(file)) : basename(file, extname(file));
  return name === "" ? "skill" : name;
}
