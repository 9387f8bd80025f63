import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { groupBy } from "../lib/group-by.ts";
import { bundleFinder, isBundleRoot } from "./bundle.ts";
import { bundleSubjects } from "./bundle-subjects.ts";
import { caseFileIn, caseFilesBelow } from "./case-folders.ts";
import { isInside, type DirectoryListing, walk } from "./directory.ts";
import { evalFileAt, evalFilesIn, isEvalsDirectory } from "./eval-files.ts";
import { skillAround } from "./find-skill.ts";
import type { FindProjectRoot } from "./project-root.ts";
import { skillFileName } from "./skill.ts";
import { evalsSubject, skillSubject, type LoadSubject } from "./subject.ts";

const MAX_DEPTH = 12;

interface ManySearch {
  readonly findProjectRoot: FindProjectRoot;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Every skill and command below a directory, then the eval files that belong to none of them. */
export async function discoverMany(directory: string, search: ManySearch): Promise<LoadSubject[]> {
  const { report } = search;
  const skills: string[] = [];
  const specs: string[] = [];
  const evals: string[] = [];
  const bundles: string[] = [];
  const caseFolders: string[] = [];
  await walk(directory, {
    report,
    maxDepth: MAX_DEPTH,
    visit(listing) {
      const skillFile = skillFileName(listing.files);
      if (skillFile !== null) {
        skills.push(join(listing.directory, skillFile));
        return false;
      }
      if (isResults(listing)) return false;
      skills.push(...commandsIn(listing));
      specs.push(...specsIn(listing));
      if (isEvalsDirectory(listing)) evals.push(listing.directory);
      if (isBundleRoot(listing)) bundles.push(listing.directory);
      const inCase = caseFileIn(listing);
      if (inCase !== null) caseFolders.push(listing.directory);
      if (inCase !== null) return false;
      // What evals stage for the agent is not there to be tested.
      return !isStaged(listing.directory, evals);
    },
  });
  const named = new Set(skills.map((file) => basename(dirname(file))));
  const subjects = skills.map((file) => skillSubject(file, true));
  for (const path of specs) {
    const file = await evalFileAt(path, null, report);
    const stem = basename(path).replace(/\.eval\.json$/i, "");
    const name = /^skill$/i.test(stem) || isPromptfoo(stem) ? folderName(dirname(path)) : stem;
    const skillFile = isPromptfoo(basename(path))
      ? await skillAround(path, search.findProjectRoot(path))
      : null;
    subjects.push({ ...evalsSubject(name, skillFile, [file]), amongMany: true });
  }
  for (const path of evals) {
    if (!named.has(basename(path))) subjects.push(await evalsBySelf(path, search));
  }
  return [...subjects, ...(await casesBySelf({ bundles, caseFolders, evals }, search))];
}

/** Cases that are folders and lie in no skill: those of a bundle that name none of its skills, and those of no bundle. */
async function casesBySelf(
  found: { bundles: readonly string[]; caseFolders: readonly string[]; evals: readonly string[] },
  { findProjectRoot, report }: ManySearch,
): Promise<LoadSubject[]> {
  const findBundle = bundleFinder(report);
  const subjects: LoadSubject[] = [];
  const covered: string[] = [...found.evals];
  for (const root of found.bundles) {
    const bundle = await findBundle(root);
    if (bundle === null) continue;
    covered.push(bundle.evalsDirectory);
    const files = bundle.cases.filter(({ skillFile }) => skillFile === null).map(({ file }) => file);
    if (files.length > 0) subjects.push({ ...evalsSubject(basename(root), null, files), amongMany: true });
  }
  for (const folder of found.caseFolders) {
    const around = covered.some((path) => isInside(folder, path)) ? null : await findBundle(folder);
    if (around === null || !isInside(folder, around.evalsDirectory)) continue;
    covered.push(around.evalsDirectory);
    const inside = around.cases
      .map(({ file }) => file)
      .filter(({ path }) => found.caseFolders.includes(dirname(path)));
    subjects.push(...bundleSubjects(around, inside).map((subject) => ({ ...subject, amongMany: true })));
  }
  const alone = found.caseFolders.filter((folder) => !covered.some((path) => isInside(folder, path)));
  for (const [evalsDirectory, folders] of groupBy(alone, evalsRoot)) {
    const files = (await Promise.all(folders.map((folder) => caseFilesBelow(folder)))).flat();
    const skillFile = await skillAround(evalsDirectory, findProjectRoot(evalsDirectory));
    const name = folderName(evalsDirectory);
    const members = files.map((file) => ({ ...file, evalsDirectory }));
    subjects.push({ ...evalsSubject(name, skillFile, members), amongMany: true });
  }
  return subjects;
}

/** The `evals` folder that a case lies in, or else the folder around it. */
function evalsRoot(folder: string): string {
  for (let at = dirname(folder); dirname(at) !== at; at = dirname(at))
    if (basename(at) === "evals") return at;
  return dirname(folder);
}

/** Of a skill: what agents made, and the versions of it that were run. */
function isResults({ directories }: DirectoryListing): boolean {
  return directories.some((name) => /^iteration-\d+$/.test(name));
}

/** Markdown in `.claude/commands`, at any depth, and elsewhere where a spec lies beside it. */
function commandsIn({ directory, files }: DirectoryListing): string[] {
  const isCommands = /[/\\]\.claude[/\\]commands(?:[/\\]|$)/.test(directory);
  const names = new Set(files);
  return files
    .filter((name) => name.endsWith(".md") && !/^readme\.md$/i.test(name))
    .filter((name) => isCommands || names.has(name.replace(/\.md$/, ".eval.json")))
    .map((name) => join(directory, name));
}

/** Specs without a Markdown file of their name, and configurations of promptfoo. */
function specsIn({ directory, files }: DirectoryListing): string[] {
  const names = new Set(files);
  return files
    .filter(
      (name) =>
        isPromptfoo(name) ||
        (name.endsWith(".eval.json") && !names.has(name.replace(/\.eval\.json$/, ".md"))),
    )
    .map((name) => join(directory, name));
}

function isPromptfoo(name: string): boolean {
  return /^promptfooconfig\.(?:ya?ml|json)$/i.test(name);
}

/** The folder's own name, or that of what its evals are about. */
function folderName(folder: string): string {
  return basename(folder) === "evals" ? basename(dirname(folder)) : basename(folder);
}

function isStaged(directory: string, evals: readonly string[]): boolean {
  const name = basename(directory);
  return (name === "setup" || name === "files") && evals.some((path) => isInside(directory, path));
}

async function evalsBySelf(path: string, { findProjectRoot, report }: ManySearch): Promise<LoadSubject> {
  const skillFile = await skillAround(path, findProjectRoot(path));
  const files = await evalFilesIn(path, skillFile === null ? null : dirname(skillFile), report);
  const name = folderName(path);
  return { ...evalsSubject(name, skillFile, files), amongMany: true };
}
