import { cp, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import { staysIn } from "../../lib/stays-in.ts";
import { parseSkill } from "../../load/skill.ts";

/**
 * The skill with another text of its SKILL.md, and of some other files, in a folder of its own and without its evals. A copy that already exists
 * is used as it is: it was made whole or not at all.
 */
export async function copySkill(
  skill: Skill,
  text: string,
  { target, files = {} }: { readonly target: string; readonly files?: Readonly<Record<string, string>> },
): Promise<Skill> {
  if ((await stat(target).catch(() => null)) === null) {
    const draft = `${target}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    if (skill.layout === "directory") {
      await cp(skill.root, draft, {
        recursive: true,
        filter: (path) => !isLeftOut(relative(skill.root, path)),
      });
    }
    await writeFile(join(draft, basename(skill.file)), text);
    for (const [path, content] of Object.entries(files)) {
      const file = join(draft, path);
      if (!staysIn(draft, file)) throw new Error(`${path} points outside the skill`);
      await writeFile(file, content);
    }
    await mkdir(dirname(target), { recursive: true });
    await rename(draft, target);
  }
  const file = join(target, basename(skill.file));
  return { ...parseSkill(file, text).skill, name: skill.name, layout: skill.layout };
}

/** As the digest of a skill leaves them out: what evaluates the skill is not part of it. */
function isLeftOut(path: string): boolean {
  return /(^|[\\/])(evals|node_modules|\.git|\.assay)([\\/]|$)|\.eval\.json$/.test(path);
}
