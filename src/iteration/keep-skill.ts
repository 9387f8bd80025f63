import { cp, lstat, mkdir, readdir, readlink, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Skill } from "../domain/skill.ts";
import { maskFolder, withheldText } from "./mask-file.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { staysIn } from "../lib/stays-in.ts";
import { temporaryFor } from "../lib/temporary-name.ts";
import { isOfSkill } from "./digests.ts";

/** Larger files say little to a reader. */
const MOST_BYTES = 1024 * 1024;

/**
 * Keeps the skill as it is now, because later comparisons cite its lines; an existing copy stays. Until the copy is whole, it
 * is in the folder `madeIn`, which is this runner's.
 */
export async function keepSkill(
  skill: Skill,
  { target, madeIn }: { readonly target: string; readonly madeIn: string },
  { mask, note }: { readonly mask: SecretMask; readonly note: (text: string) => void },
): Promise<void> {
  if ((await stat(target).catch(() => null)) !== null) return;
  await mkdir(dirname(target), { recursive: true });
  const copy = temporaryFor(target, madeIn);
  await mkdir(copy);
  try {
    if (skill.layout === "command") await cp(skill.file, join(copy, basename(skill.file)));
    else await copySkill(skill.root, copy);
    for (const path of await maskFolder(copy, mask))
      note(`${skill.name}: ${withheldText(path, "is left out of the copy of the skill that results keep")}`);
    // Another runner may have been faster with the same skill.
    await rename(copy, target).catch(() => {});
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Entry by entry, because the results, and so the copy, may lie in the skill itself. */
async function copySkill(root: string, target: string): Promise<void> {
  const kept = async (source: string) => {
    const path = relative(root, source).replaceAll("\\", "/");
    if (!isOfSkill(path)) return false;
    if (target.startsWith(`${source}${sep}`)) return false;
    // A kept link would lead readers of the results wherever it points.
    const found = await lstat(source).catch(() => null);
    if (found?.isSymbolicLink() === true) return staysIn(root, source) && !isAbsolute(await readlink(source));
    return found !== null && (found.isDirectory() || (found.isFile() && found.size <= MOST_BYTES));
  };
  for (const name of await readdir(root)) {
    const source = join(root, name);
    if (await kept(source))
      await cp(source, join(target, name), { recursive: true, filter: kept, verbatimSymlinks: true });
  }
}
