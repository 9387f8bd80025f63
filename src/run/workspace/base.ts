import { mkdir, realpath } from "node:fs/promises";

import type { Skill } from "../../domain/skill.ts";
import { orDiskFull } from "./disk-full.ts";
import { type Admitted, admit, type Barred } from "./admit.ts";
import { commitAll, type HostEnv } from "./git.ts";
import { type Entries, isAtOrBelow, Layer } from "./layer.ts";
import { type ListProject, projectLister } from "./project-files.ts";

/** The project's files as every trial finds them: made once, shared by all, never written to again. */
export interface Base {
  readonly directory: string;
  /** The project's own entries; the repository's are in `repository`. */
  readonly entries: Entries;
  readonly links: ReadonlyMap<string, string>;
  /** What lies in `.git`; null where there is no git. */
  readonly repository: Entries | null;
  readonly barred: Barred;
  /** Real path; null for a skill without a project. */
  readonly projectRoot: string | null;
  readonly notes: readonly string[];
}

export interface BaseOptions {
  /** Where to make it: a directory that does not exist yet, in the run root. */
  readonly directory: string;
  /** The skills under test; no copy of them stays, in any variant, so that both arms stand on the same ground. */
  readonly skills: readonly Skill[];
  /** Absolute paths that no agent may see: see `hiddenPaths`, and the folder results go to. */
  readonly hidden: readonly string[];
  readonly env: HostEnv;
  /** Absent: the project is listed anew. */
  readonly list?: ListProject;
}

/** Copies what a workspace may hold of the project and commits it once. */
export async function prepareBase(projectRoot: string | null, options: BaseOptions): Promise<Base> {
  try {
    return await makeBase(projectRoot, options);
  } catch (error) {
    throw orDiskFull(error, options.directory);
  }
}

async function makeBase(projectRoot: string | null, options: BaseOptions): Promise<Base> {
  await mkdir(options.directory, { mode: 0o755 });
  const root = projectRoot === null ? null : await realpath(projectRoot);
  const barred = await barredIn(root, options);
  const admitted =
    root === null
      ? NOTHING
      : await admit(root, await (options.list ?? projectLister(options.env))(root), barred);
  const layer = new Layer(options.directory);
  const notes = [...firstOf(admitted.notes)];
  if (root !== null) {
    // The project is the user's, and alive: what cannot be read, or is gone by now, is told and left out.
    const unreadable = (relative: string, code: string): void => {
      notes.push(`${relative} cannot be read (${code}) and was left out`);
    };
    await layer.copy(root, admitted.entries, { links: admitted.links, unreadable });
  }
  await layer.seal();
  const repository = await commitAll(options.directory, options.env);
  await layer.seal();
  if (repository === null) notes.push("git was not found, so workspaces are not git repositories");
  const { directory } = options;
  return {
    directory,
    entries: layer.entries,
    links: admitted.links,
    repository,
    barred,
    projectRoot: root,
    notes,
  };
}

/** `root` is a real path. */
export async function barredIn(
  root: string | null,
  { hidden, skills }: Pick<BaseOptions, "hidden" | "skills">,
): Promise<Barred> {
  const real = await realPaths(hidden);
  return { hidden: real.filter((one) => root === null || !isAtOrBelow(root, one)), skills };
}

function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

/** Enough to see what is going on. */
function firstOf(notes: readonly string[]): readonly string[] {
  if (notes.length <= MOST_NOTES) return notes;
  return [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more like these`];
}

const MOST_NOTES = 20;

const NOTHING: Admitted = { entries: new Map(), links: new Map(), notes: [] };
