import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { SkillFile, SkillFiles } from "../../compare/analyze/skill-files.ts";
import { suiteFolder } from "../../store/layout.ts";
import type { IterationArm } from "./arm.ts";

const MOST_BYTES = 64 * 1024;
const MOST_FILES = 40;

/** The skill as the runs had it, from what the iteration kept; null when there was none or its text is not known. */
export async function skillOfArm({ state, folder, variant }: IterationArm): Promise<SkillFiles | null> {
  const skill = state.iteration?.skill ?? null;
  if (skill === null || variant === "without_skill" || variant === "old_skill") return null;
  const kept = suiteFolder(dirname(folder.root)).skill(skill.sha256);
  return readSkillFiles(kept, kept);
}

/** `shownAs` is the path that people know it by. */
export async function readSkillFiles(root: string, shownAs: string): Promise<SkillFiles | null> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !/(^|\/)(evals|node_modules|\.git)(\/|$)|\.eval\.json$/.test(path))
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const files: SkillFile[] = [];
  for (const path of paths.slice(0, MOST_FILES)) {
    const text = await readText(join(root, path));
    if (text !== null) files.push({ path, text });
  }
  return files.length === 0 ? null : { path: shownAs, files };
}

/** What instructs comes before what is used. */
function rank(path: string): number {
  if (path === "SKILL.md") return 0;
  return path.endsWith(".md") ? 1 : 2;
}

/** Null for what is too large or no text. */
async function readText(path: string): Promise<string | null> {
  if (((await stat(path).catch(() => null))?.size ?? Infinity) > MOST_BYTES) return null;
  const text = await readFile(path, "utf8");
  return text.includes("\0") || text.includes("\uFFFD") ? null : text;
}
