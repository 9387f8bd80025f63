import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
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
      // What evals stage for the agent is not there to be tested.
      return !isStaged(listing.directory, evals);
    },
  });
  const named = new Set(skills.map((file) => basename(dirname(file))));
  const subjects = skills.map((file) => skillSubject(file, true));
  for (const path of specs) {
    const file = await evalFileAt(path, null, report);
    const stem = basename(path).replace(/\.eval\.json$/i, "");
    const name = /^skill$/i.test(stem) ? basename(dirname(path)) : stem;
    subjects.push({ ...evalsSubject(name, null, [file]), amongMany: true });
  }
  for (const path of evals) {
    if (!named.has(basename(path))) subjects.push(await evalsBySelf(path, search));
  }
  return subjects;
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

/** Specs without a Markdown file of their name. */
function specsIn({ directory, files }: DirectoryListing): string[] {
  const names = new Set(files);
  return files
    .filter((name) => name.endsWith(".eval.json") && !names.has(name.replace(/\.eval\.json$/, ".md")))
    .map((name) => join(directory, name));
}

function isStaged(directory: string, evals: readonly string[]): boolean {
  const name = basename(directory);
  return (name === "setup" || name === "files") && evals.some((path) => isInside(directory, path));
}

async function evalsBySelf(path: string, { findProjectRoot, report }: ManySearch): Promise<LoadSubject> {
  const skillFile = await skillAround(path, findProjectRoot(path));
  const files = await evalFilesIn(path, skillFile === null ? null : dirname(skillFile), report);
  const name = basename(path) === "evals" ? basename(dirname(path)) : basename(path);
  return { ...evalsSubject(name, skillFile, files), amongMany: true };
}
