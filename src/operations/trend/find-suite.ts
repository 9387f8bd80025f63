import { realpath } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { nearest } from "../../lib/nearest.ts";
import { readSkillDocument } from "../../load/skill.ts";
import { listIterations, listSuites } from "../../store/iterations.ts";
import { projectFolder, suiteFolder, type SuiteFolder } from "../../store/layout.ts";
import { readManifest } from "../../store/manifest.ts";

interface Places {
  readonly results: string;
  readonly cwd: string;
}

/** The results of a skill, by its name, directory or file; without a name, of the only skill there is. */
export async function findSuite(name: string | null, { results, cwd }: Places): Promise<SuiteFolder> {
  const known = await listSuites(results);
  if (name === null) return onlyOne(known, results);
  const suiteOf = (candidate: string) => named(candidate, known, results);
  const path = resolve(cwd, name);
  const found =
    suiteOf(name) ?? (await ofSkillAt(path, { known, results, suiteOf })) ?? suiteOf(basename(path));
  if (found !== null) return found;
  const near = nearest(name, known) ?? nearest(basename(path), known);
  throw new UserError("trend/no-skill", `there are no results of ${JSON.stringify(name)} in ${results}`, {
    hint: near === null ? "assay run or assay bench makes the first" : `did you mean ${near}?`,
  });
}

function onlyOne(known: readonly string[], results: string): SuiteFolder {
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return suiteFolder(join(results, only));
  throw new UserError(
    "trend/which-skill",
    only === undefined ? `there are no results in ${results}` : "there are results of several skills",
    {
      hint:
        only === undefined ? "assay run or assay bench makes the first" : `name one of ${known.join(", ")}`,
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
