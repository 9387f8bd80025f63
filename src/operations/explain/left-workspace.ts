import { constants } from "node:fs";
import { copyFile, cp, lstat, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import type { SubjectFile } from "../../grade/subject.ts";
import { suiteFolder } from "../../store/layout.ts";
import type { FoundRun } from "../find-run.ts";

/** Lays out in `folder` what is kept of the workspace as the run left it: its inputs, what it made or changed, and the skill. */
export async function layOutWorkspace(
  folder: string,
  found: FoundRun,
  { files, skillsFolder }: { readonly files: readonly SubjectFile[]; readonly skillsFolder: string },
): Promise<void> {
  await layOutSkill(folder, found, skillsFolder);
  for (const { path, stored } of files) {
    const target = join(folder, path);
    if (stored === null || !target.startsWith(`${folder}${sep}`)) continue;
    await mkdir(dirname(target), { recursive: true });
    await copyFile(stored, target, constants.COPYFILE_FICLONE);
  }
}

/** As the iteration kept it; only where the run had it under its own name. */
async function layOutSkill(folder: string, found: FoundRun, skillsFolder: string): Promise<void> {
  const { trial } = found.finished;
  const { iteration, cases } = found.state;
  const isTask = cases.some((one) => one.id === trial.caseId && one.kind === "task");
  if (!iteration?.skill || trial.variant !== "with_skill" || !isTask) return;
  const kept = suiteFolder(dirname(found.folder.root)).skill(iteration.skill.sha256);
  if ((await stat(join(kept, "SKILL.md")).catch(() => null)) === null) return;
  await cp(kept, join(folder, skillsFolder, basename(iteration.suite)), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => staysIn(kept, path),
  });
}

/** A link that leads elsewhere would let what is laid out later be written there. */
async function staysIn(kept: string, path: string): Promise<boolean> {
  if (!(await lstat(path)).isSymbolicLink()) return true;
  const target = await realpath(path).catch(() => null);
  return !isAbsolute(await readlink(path)) && target?.startsWith(`${await realpath(kept)}${sep}`) === true;
}
