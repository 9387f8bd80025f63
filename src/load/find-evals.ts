import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Skill } from "../domain/skill.ts";
import { memo } from "../lib/memo.ts";
import { bundleFinder } from "./bundle.ts";
import { walk } from "./directory.ts";
import { clauditorFiles, evalFilesIn, type FoundFile, isEvalsDirectory } from "./eval-files.ts";

type Report = (diagnostic: Diagnostic) => void;

export interface Surroundings {
  readonly projectRoot: string | null;
  readonly report: Report;
}

/** Finds the eval files of one skill after the other; what lies below a project's `evals/` is looked up once. */
export function evalsFinder(): (skill: Skill, surroundings: Surroundings) => Promise<FoundFile[]> {
  const indexOf = memo((projectRoot: string) => indexEvals(join(projectRoot, "evals")));
  const told: Diagnostic[] = [];
  const findBundle = bundleFinder((one) => void told.push(one));
  return async (skill, surroundings) => {
    const own = [
      ...(await clauditorFiles(skill, surroundings.report)),
      ...promptfooFiles(skill),
      ...(await firstEvalsDirectory(skill, surroundings, indexOf)),
    ];
    const known = new Set(own.map(({ path }) => path));
    const bundle = skill.layout === "command" ? null : await findBundle(skill.root);
    for (const one of told.splice(0)) surroundings.report(one);
    const shared = (bundle?.cases ?? []).filter(({ skillFile }) => skillFile === skill.file);
    return [...own, ...shared.map(({ file }) => file).filter(({ path }) => !known.has(path))];
  };
}

/** A promptfoo configuration beside SKILL.md. */
function promptfooFiles({ layout, root }: Skill): FoundFile[] {
  if (layout === "command") return [];
  const paths = ["yaml", "yml", "json"].map((ending) => join(root, `promptfooconfig.${ending}`));
  return paths
    .filter((path) => existsSync(path))
    .slice(0, 1)
    .map((path) => ({ path, expected: "promptfoo", evalsDirectory: root, optional: false, isNamed: false }));
}

/** The places in order; the first that holds an eval file wins. */
async function firstEvalsDirectory(
  skill: Skill,
  { projectRoot, report }: Surroundings,
  indexOf: (projectRoot: string) => Promise<ReadonlyMap<string, string>>,
): Promise<FoundFile[]> {
  const names = namesOf(skill);
  const places = [
    ...(skill.layout === "directory" ? [join(skill.root, "evals")] : []),
    ...names.map((name) => join(skill.root, "..", "..", "evals", name)),
    ...(projectRoot === null ? [] : names.map((name) => join(projectRoot, "evals", name))),
  ];
  for (const place of new Set(places)) {
    const files = await evalFilesIn(place, skill.root, report);
    if (files.length > 0) return files;
  }
  if (projectRoot === null) return [];
  const index = await indexOf(projectRoot);
  const directory = names.map((name) => index.get(name)).find((found) => found !== undefined);
  return directory === undefined ? [] : evalFilesIn(directory, skill.root, report);
}

/** Evals directories are named after the skill's directory, where that and its own name differ. */
function namesOf(skill: Skill): string[] {
  if (skill.layout === "command") return [skill.name];
  return [...new Set([basename(skill.root), skill.name])].filter((name) => name !== "");
}

const MAX_DEPTH = 6;

/** Evals directories at any depth by their name; of two with one name, the first in the order of paths. */
async function indexEvals(directory: string): Promise<ReadonlyMap<string, string>> {
  const index = new Map<string, string>();
  await walk(directory, {
    report: () => undefined,
    maxDepth: MAX_DEPTH,
    visit(listing) {
      const name = basename(listing.directory);
      const holdsEvals = isEvalsDirectory(listing) || listing.files.some((file) => /\.ya?ml$/i.test(file));
      if (holdsEvals && !index.has(name)) index.set(name, listing.directory);
      return name !== "setup" && name !== "files";
    },
  });
  return index;
}
