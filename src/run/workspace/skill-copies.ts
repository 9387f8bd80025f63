import { readFile, realpath } from "node:fs/promises";
import path from "node:path";

import type { Skill } from "../../domain/skill.ts";
import { parseYaml } from "../../lib/document/yaml.ts";
import { isAtOrBelow, parentOf } from "./layer.ts";
import type { Found } from "./project-files.ts";

/**
 * Tells which of the found paths are copies of a skill under test: its source, links to it, every directory whose
 * SKILL.md bears its name or that has its name in a client's skills folder, its command files, packages and results.
 */
export async function copiesOf(
  skills: readonly Skill[],
  root: string,
  found: readonly Found[],
): Promise<(relative: string) => boolean> {
  if (skills.length === 0) return () => false;
  const names = new Set(skills.map((skill) => skill.name.toLowerCase()));
  const sources = await sourcesOf(skills);
  const removed = new Set<string>();
  for (const entry of found) {
    if (isNamedCopy(entry.path, names)) removed.add(entry.path);
    const absolute = path.join(root, entry.path);
    if (await isSource(absolute, entry, sources)) removed.add(entry.path);
    if (/(?:^|\/)skill\.md$/iu.test(entry.path) && (await isNamed(absolute, names))) {
      removed.add(parentOf(entry.path));
    }
  }
  for (const directory of resultFolders(found, names)) removed.add(directory);
  return (relative) => isRemoved(relative, removed);
}

function isRemoved(relative: string, removed: ReadonlySet<string>): boolean {
  if (removed.has("")) return true;
  for (let at = relative; at !== ""; at = parentOf(at)) if (removed.has(at)) return true;
  return false;
}

/** Real paths: a skill's directory, or a command's one file. */
async function sourcesOf(skills: readonly Skill[]): Promise<readonly string[]> {
  const paths = skills.map((skill) => (skill.layout === "directory" ? skill.root : skill.file));
  return Promise.all(paths.map((source) => realpath(source).catch(() => source)));
}

async function isSource(absolute: string, entry: Found, sources: readonly string[]): Promise<boolean> {
  const real = entry.kind === "link" ? await realpath(absolute).catch(() => absolute) : absolute;
  return sources.some((source) => isAtOrBelow(real, source));
}

function isNamedCopy(relative: string, names: ReadonlySet<string>): boolean {
  const parts = relative.toLowerCase().split("/");
  const file = parts.at(-1) ?? "";
  const dot = file.indexOf(".");
  const stem = dot < 0 ? file : file.slice(0, dot);
  if (file.endsWith(".skill") && names.has(stem)) return true;
  const client = parts.findIndex((part) => part.startsWith("."));
  if (client < 0) return false;
  const skills = parts.indexOf("skills", client);
  if (skills >= 0 && names.has(parts[skills + 1] ?? "")) return true;
  const commands = parts.findIndex((part, at) => at > client && COMMAND_FOLDERS.has(part));
  return commands >= 0 && commands < parts.length - 1 && names.has(stem);
}

const COMMAND_FOLDERS = new Set(["commands", "command", "prompts"]);

async function isNamed(file: string, names: ReadonlySet<string>): Promise<boolean> {
  const name = frontmatterName(await readFile(file, "utf8").catch(() => ""));
  return name !== null && names.has(name.toLowerCase());
}

/** The name a SKILL.md gives itself, also where the rest of its frontmatter cannot be parsed. */
export function frontmatterName(text: string): string | null {
  const block = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/su.exec(text)?.[1];
  if (block === undefined) return null;
  const parsed = parseYaml(block);
  if (parsed.ok && parsed.root.kind === "object") {
    const entry = parsed.root.entries.find(({ key }) => key === "name");
    return entry?.value.kind === "string" ? entry.value.value : null;
  }
  return /^name:[ \t]*["']?(.*?)["']?[ \t]*$/mu.exec(block)?.[1] ?? null;
}

/** `<skill>-workspace` with its iterations, which skill-creator leaves beside a skill. */
function resultFolders(found: readonly Found[], names: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path: relative } of found) {
    const match = /^(?:.*\/)?([^/]+)-workspace(?=\/(?:iteration-|history\.json))/u.exec(relative);
    if (match !== null && names.has((match[1] ?? "").toLowerCase())) folders.add(match[0]);
  }
  return folders;
}
