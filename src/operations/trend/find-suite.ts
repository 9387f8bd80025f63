import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { nearest } from "../../lib/nearest.ts";
import { readSkillDocument } from "../../load/skill.ts";
import { foreignAt, foreignIterations, seriesOf } from "../../store/foreign/find.ts";
import { listIterations, listSuites } from "../../store/iterations.ts";
import { projectFolder, suiteFolder, type SuiteFolder } from "../../store/layout.ts";
import { readManifest } from "../../store/manifest.ts";
import type { RunPlaces } from "../find-run.ts";
import { importingTo, importIteration } from "../import/import.ts";

/**
 * The results of a skill, by its name, directory or file, or of a workspace of another tool; without a name, of the only
 * skill there is.
 */
export async function findSuite(name: string | null, { results, machine }: RunPlaces): Promise<SuiteFolder> {
  const known = await listSuites(results);
  if (name === null) return onlyOne(known, results);
  const suiteOf = (candidate: string) => named(candidate, known, results);
  const path = resolve(machine.cwd, name);
  const found =
    suiteOf(name) ??
    (await ofSkillAt(path, { known, results, suiteOf })) ??
    suiteOf(basename(path)) ??
    (await importedAt(path, { results, machine }));
  if (found !== null) return found;
  const near = nearest(name, known) ?? nearest(basename(path), known);
  throw new UserError("trend/no-skill", `there are no results of ${JSON.stringify(name)} in ${results}`, {
    hint: near === null ? "assay run or assay bench makes the first" : `did you mean ${near}?`,
  });
}

/** All iterations of another tool's workspace, or of the series that one belongs to, imported. */
async function importedAt(path: string, { results, machine }: RunPlaces): Promise<SuiteFolder | null> {
  const whole = await foreignIterations(path);
  const one = whole.length > 0 ? null : await foreignAt(path);
  const folders = one === null ? whole : await seriesOf(one);
  const newest = new Map(folders.map((folder) => [folder.series, folder.root]));
  if (newest.size > 1)
    throw new UserError("trend/which-series", `${path} holds ${newest.size} series of results`, {
      hint: `pass an iteration of one: ${[...newest.values()].map((root) => relative(machine.cwd, root)).join(", ")}`,
    });
  let suite: SuiteFolder | null = null;
  for (const folder of folders) {
    const imported = await importIteration(folder, importingTo(results, machine));
    suite = suiteFolder(dirname(imported.root));
  }
  return suite;
}

function onlyOne(known: readonly string[], results: string): SuiteFolder {
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return suiteFolder(join(results, only));
  throw new UserError(
    "trend/which-skill",
    only === undefined ? `there are no results in ${results}` : "there are results of several skills",
    {
      hint:
        only === undefined ? "assay run or assay bench makes the first" : `pass one of ${known.join(", ")}`,
    },
  );
}

function named(name: string, known: readonly string[], results: string): SuiteFolder | null {
  const suite = projectFolder(results).suite(name);
  return known.includes(basename(suite.root)) ? suite : null;
}

/**
 * A directory need not be called like its skill, and of several skills with one name only the first keeps it; so what the
 * newest iterations were about counts before the name.
 */
async function ofSkillAt(
  path: string,
  {
    known,
    results,
    suiteOf,
  }: { known: readonly string[]; results: string; suiteOf: (name: string) => SuiteFolder | null },
): Promise<SuiteFolder | null> {
  const skill = (await readSkillDocument(path, () => {}))?.skill ?? null;
  if (skill === null) return null;
  const namesake = suiteOf(skill.name);
  if (skill.layout === "command") return namesake;
  const root = await realpath(skill.root);
  const about = await Promise.all(
    known.map(async (name) => {
      const suite = suiteFolder(join(results, name));
      return (await newestSkill(suite)) === root ? [suite] : [];
    }),
  );
  const found = about.flat();
  return found.find((suite) => suite.root === namesake?.root) ?? found[0] ?? namesake;
}

/** The directory of the skill that the newest iteration was about; null where nothing says. */
async function newestSkill({ root }: SuiteFolder): Promise<string | null> {
  const newest = (await listIterations(root)).at(-1);
  const manifest = newest === undefined ? null : await readManifest(newest.folder.manifest).catch(() => null);
  const path = manifest?.skill?.path ?? null;
  return path === null ? null : realpath(path).catch(() => path);
}
