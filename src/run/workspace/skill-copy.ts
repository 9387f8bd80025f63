import { lstat, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";

import { isCardFile } from "../../domain/card.ts";
import { OPENAI_YAML } from "../../domain/skill.ts";
import { treeHash } from "../../lib/tree-hash.ts";
import { admit, isHidden } from "./admit.ts";
import type { Base } from "./base.ts";
import { isAtOrBelow, type Layer, parentOf } from "./layer.ts";
import { type SkillPlacement, skillPath, skillText } from "./placement.ts";
import { type Found, listTree } from "./project-files.ts";

export interface CopiedSkill {
  /** Content hash of what was staged. */
  readonly hash: string;
  readonly notes: readonly string[];
}

/**
 * Copies the skill to `target` of the layer, in place of whatever was there. Its evals do not come along, nor history,
 * installed packages or earlier results. Links that lead out of it are followed only to what the workspace holds anyway: a
 * skill may be a stranger's, and `ref.md -> ../../.env` must not show an agent what it could not see.
 */
export async function copySkill(
  layer: Layer,
  target: string,
  placement: SkillPlacement,
  base: Base,
): Promise<CopiedSkill> {
  const { skill } = placement;
  await layer.remove(target);
  if (skill.layout === "command") {
    const text = skillText(await readFile(skill.file, "utf8"), placement);
    const file = skillPath(placement).endsWith(".md") ? target : `${target}/SKILL.md`;
    await layer.text(file, text);
    return { hash: await treeHash(layer.at(target)), notes: [] };
  }
  if (placement.body === "stub") {
    await layer.text(`${target}/SKILL.md`, skillText(await readFile(skill.file, "utf8"), placement));
    await keepPolicy(layer, target, skill.root);
    return { hash: await treeHash(layer.at(target)), notes: [] };
  }
  const root = await realpath(skill.root);
  const notes = await copyDirectory(layer, target, root, base);
  if (placement.name !== skill.name) {
    const file = `${target}/${path.relative(skill.root, skill.file).split(path.sep).join("/")}`;
    await layer.text(file, skillText(await readFile(skill.file, "utf8"), placement));
  }
  return { hash: await treeHash(layer.at(target)), notes };
}

/** What decides whether Codex lists the skill at all. */
async function keepPolicy(layer: Layer, target: string, root: string): Promise<void> {
  const file = path.join(root, OPENAI_YAML);
  const found = await lstat(file).catch(() => null);
  if (found?.isFile() === true && found.size <= MOST_POLICY_BYTES)
    await layer.text(`${target}/${OPENAI_YAML}`, await readFile(file, "utf8"));
}

const MOST_POLICY_BYTES = 256 * 1024;

async function copyDirectory(
  layer: Layer,
  target: string,
  root: string,
  base: Base,
): Promise<readonly string[]> {
  const listing = await listTree(root);
  const isOwn = ownContent(listing.found);
  const own = { found: listing.found.filter((entry) => isOwn(entry.path)), notes: listing.notes };
  const hidden = base.barred.hidden.filter((path) => !isAtOrBelow(root, path));
  const admitted = await admit(root, own, { hidden, skills: [] });
  await layer.directory(target);
  for (const [relative, kind] of admitted.entries) {
    const to = `${target}/${relative}`;
    if (kind === "directory") await layer.directory(to);
    else if (kind === "file") await layer.file(to, path.join(root, relative));
    else await layer.link(to, admitted.links.get(relative) ?? ".");
  }
  const outward = own.found.filter((entry) => entry.kind === "link" && !admitted.entries.has(entry.path));
  const followed = await Promise.all(
    outward.map((entry) => follow(layer, `${target}/${entry.path}`, path.join(root, entry.path), base)),
  );
  const refused = outward.filter((_, index) => !followed[index]);
  return [
    ...listing.notes.map((note) => `skill: ${note}`),
    ...refused.map(
      (entry) =>
        `skill: the link ${entry.path} points outside the skill, to something that is not in the workspace, and was left out`,
    ),
  ];
}

/** Results and packages anywhere; evals at the top of the skill and of skills within it. */
function ownContent(found: readonly Found[]): (relative: string) => boolean {
  const skills = new Set(
    found.filter(({ path }) => /(?:^|\/)skill\.md$/iu.test(path)).map(({ path }) => parentOf(path)),
  );
  skills.add("");
  return (relative) => {
    const parts = relative.split("/");
    if (relative.endsWith(".eval.json") || isCardFile(relative)) return false;
    if (parts.some((part) => NEVER_COPIED.has(part))) return false;
    return !parts.some((part, at) => part === "evals" && skills.has(parts.slice(0, at).join("/")));
  };
}

const NEVER_COPIED = new Set([".git", "node_modules", ".assay", ".clauditor"]);

/** Puts what the link points to in its place; false when an agent could not see that without the link. */
async function follow(layer: Layer, to: string, link: string, base: Base): Promise<boolean> {
  const real = await realpath(link).catch(() => null);
  const { projectRoot, barred } = base;
  if (real === null || projectRoot === null || !isInWorkspace(real, base)) return false;
  const stats = await stat(real);
  if (stats.isFile()) {
    await layer.file(to, real);
    return true;
  }
  if (!stats.isDirectory() || isAtOrBelow(link, real)) return false;
  const admitted = await admit(real, await listTree(real), { hidden: barred.hidden, skills: [] });
  await layer.directory(to);
  for (const [relative, kind] of admitted.entries) {
    if (!isInWorkspace(path.join(real, relative), base)) continue;
    if (kind === "directory") await layer.directory(`${to}/${relative}`);
    else if (kind === "file") await layer.file(`${to}/${relative}`, path.join(real, relative));
  }
  return true;
}

/** Among the project's own files, which are neither ignored nor hidden, and no settings of the user such as `.env`. */
function isInWorkspace(real: string, { projectRoot, entries, barred }: Base): boolean {
  if (projectRoot === null || !isAtOrBelow(real, projectRoot) || isHidden(real, barred.hidden)) return false;
  const relative = path.relative(projectRoot, real).split(path.sep).join("/");
  return entries.has(relative) && !path.basename(real).startsWith(".");
}
