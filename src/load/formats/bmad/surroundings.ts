import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Fixture } from "../../../domain/suite.ts";
import { isInside } from "../../directory.ts";
import type { DeclaredFile } from "./shape.ts";

/** Marks of BMad's layout in an evals directory; skill-creator knows neither. */
export interface BmadMarks {
  /** `setup/`, or `setup/` in the directory of one eval. */
  readonly overlays: boolean;
  readonly triggers: boolean;
}

/** Never rejects: what cannot be read is not there. */
export async function bmadDirectory(directory: string): Promise<BmadMarks> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const children = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  const candidates = children.map(({ name }) => join(directory, name === "setup" ? name : `${name}/setup`));
  const overlays = await Promise.all(candidates.map(isDirectory));
  return {
    overlays: overlays.includes(true),
    triggers: await isFile(join(directory, "triggers.json")),
  };
}

/** The base overlay and the one of a case, where they exist, in the order they are laid. */
export async function overlaysOf(evalFile: string, caseId: string): Promise<readonly string[]> {
  const directory = dirname(evalFile);
  const places = [join(directory, "setup"), join(directory, caseId, "setup")];
  const there = await Promise.all(places.map(isDirectory));
  return places.filter((_, index) => there[index]);
}

/** Directories beside the eval file that have an overlay for one eval. */
export async function overlayNames(evalFile: string): Promise<readonly string[]> {
  const directory = dirname(evalFile);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const there = await Promise.all(names.map((name) => isDirectory(join(directory, name, "setup"))));
  return names.filter((_, index) => there[index]).sort();
}

/** The fixture found in the first root that has it; else one whose problem says why it cannot be staged. */
export async function toFixture(file: DeclaredFile, roots: readonly string[]): Promise<Fixture> {
  const found = await Promise.all(roots.map((root) => look(join(root, file.target), roots)));
  const at = found.findIndex((what) => what !== "missing");
  const what = found[at] ?? "missing";
  const root = roots[at];
  const staged = what === "file" && root !== undefined;
  return {
    kind: "path",
    declared: file.declared,
    source: staged ? join(root, file.target) : null,
    target: file.target,
    problem: staged ? null : PROBLEMS[what],
  };
}

type Look = "file" | "directory" | "outside" | "missing";

const PROBLEMS: Readonly<Record<Look, string>> = {
  file: "",
  directory: "is a directory; list its files one by one",
  outside: "is a symlink that points outside the project",
  missing: "is neither in the project nor beside the eval file",
};

async function look(path: string, roots: readonly string[]): Promise<Look> {
  try {
    const [stats, real] = await Promise.all([stat(path), realpath(path)]);
    const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    if (!realRoots.some((root) => isInside(real, root))) return "outside";
    return stats.isFile() ? "file" : "directory";
  } catch {
    return "missing";
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
