import { basename, dirname, join } from "node:path";
import { listDirectory, walk } from "./directory.ts";
import { skillFileName } from "./skill.ts";

/** The skill that an eval file or evals directory is about, from where it lies; null when nothing tells. */
export async function skillAround(path: string, projectRoot: string | null): Promise<string | null> {
  const spec = /^(.+)\.eval\.json$/i.exec(basename(path));
  const ofSpec = spec === null ? null : await skillOfSpec(dirname(path), spec[1] ?? "");
  if (ofSpec !== null) return ofSpec;
  const directory = /\.(?:json|ya?ml)$/i.test(basename(path)) ? dirname(path) : path;
  return (
    (await skillNamedLike(directory, projectRoot)) ??
    (await skillAbove(directory, projectRoot)) ??
    (await skillInProject(directory, projectRoot))
  );
}

/** The SKILL.md in a directory. */
async function skillFileIn(directory: string): Promise<string | null> {
  const { files } = await listDirectory(directory, ignore);
  const name = skillFileName(files);
  return name === null ? null : join(directory, name);
}

const ignore = () => undefined;

/** `<name>.eval.json` lies beside `<name>.md` or SKILL.md, or in the skill's `assets/`. */
async function skillOfSpec(directory: string, name: string): Promise<string | null> {
  const { files } = await listDirectory(directory, ignore);
  if (!/^skill$/i.test(name) && files.includes(`${name}.md`)) return join(directory, `${name}.md`);
  const beside = skillFileName(files);
  if (beside !== null) return join(directory, beside);
  return basename(directory) === "assets" ? skillFileIn(dirname(directory)) : null;
}

/** `evals/<name>/` is about the skill called `<name>` in one of the usual places. */
async function skillNamedLike(directory: string, projectRoot: string | null): Promise<string | null> {
  const name = basename(directory);
  if (name === "evals" || name === "") return null;
  const bases = [join(directory, "..", ".."), ...(projectRoot === null ? [] : [projectRoot])];
  for (const base of new Set(bases)) {
    for (const place of [[".claude", "skills"], ["skills"], ["src"], []]) {
      const found = await skillFileIn(join(base, ...place, name));
      if (found !== null) return found;
    }
  }
  return null;
}

const MAX_LEVELS_UP = 3;

async function skillAbove(directory: string, projectRoot: string | null): Promise<string | null> {
  let at = directory;
  for (let level = 0; level < MAX_LEVELS_UP; level++) {
    const found = await skillFileIn(at);
    if (found !== null) return found;
    if (at === projectRoot || dirname(at) === at) return null;
    at = dirname(at);
  }
  return null;
}

const MAX_DEPTH = 8;
const MAX_DIRECTORIES = 20_000;

/** The whole project is searched only for directories that lie below an `evals/` and so are named after a skill. */
async function skillInProject(directory: string, projectRoot: string | null): Promise<string | null> {
  const name = basename(directory);
  const below = projectRoot === null ? "" : directory.slice(projectRoot.length);
  if (projectRoot === null || name === "evals" || !/[/\\]evals[/\\]/.test(below)) return null;
  let found: string | null = null;
  let visited = 0;
  await walk(projectRoot, {
    report: ignore,
    maxDepth: MAX_DEPTH,
    visit(listing) {
      visited++;
      const file = skillFileName(listing.files);
      if (file !== null && basename(listing.directory) === name) found ??= join(listing.directory, file);
      return found === null && visited < MAX_DIRECTORIES && basename(listing.directory) !== "setup";
    },
  });
  return found;
}
