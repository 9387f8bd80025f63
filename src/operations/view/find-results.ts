import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { IterationAddress } from "../../domain/pages.ts";
import { UserError } from "../../domain/user-error.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import type { Machine } from "../../machine.ts";
import { foreignAt, foreignBelow, foreignIterations, type ForeignFolder } from "../../store/foreign/find.ts";
import { listIterations, listSuites } from "../../store/iterations.ts";
import { IMPORTS } from "../../store/layout.ts";
import { importIteration, importingTo } from "../import/import.ts";

export interface FoundResults {
  /** The `.assay` folder. */
  readonly root: string;
  /** The iteration that was named; null: none was. */
  readonly start: IterationAddress | null;
}

/**
 * The results that a person means: those of the project; a results folder, or what holds one; one iteration, or what lies in it;
 * the workspace of another tool, whose results are then read into ours.
 */
export async function findResults(
  folder: string | null,
  workspace: string | null,
  machine: Machine,
): Promise<FoundResults> {
  const own = resultsFolder(workspace, machine);
  if (folder === null) {
    if (await hasResults(own)) return { root: own, start: null };
    throw nothing(own);
  }
  const path = resolve(machine.cwd, folder);
  if ((await stat(path).catch(() => null))?.isDirectory() !== true)
    throw new UserError("view/no-folder", `${folder} is not a folder`, {
      hint: "pass a folder with results, such as .assay, an iteration, or another tool's workspace",
    });
  for (const root of [path, join(path, ".assay")]) if (await hasResults(root)) return { root, start: null };
  const foreign = await foreignOf(path);
  if (foreign.length > 0) return imported(foreign, own, machine);
  return (await around(path)) ?? Promise.reject(nothing(path));
}

/** Ours: other tools call their folders iterations, too. */
async function hasResults(root: string): Promise<boolean> {
  for (const place of [root, join(root, IMPORTS)])
    for (const suite of await listSuites(place))
      for (const { folder } of await listIterations(join(place, suite)))
        if (existsSync(folder.journal)) return true;
  return false;
}

/** A folder in results of ours: the iteration that it is or lies in, or all of its skill. */
async function around(path: string): Promise<FoundResults | null> {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const number = /^iteration-([1-9]\d{0,8})$/.exec(basename(at))?.[1];
    if (number === undefined) continue;
    const suite = dirname(at);
    const isImport = basename(dirname(suite)) === IMPORTS;
    const root = isImport ? dirname(dirname(suite)) : dirname(suite);
    const skill = relative(root, suite).replaceAll("\\", "/");
    return (await hasResults(root)) ? { root, start: { skill, n: Number(number) } } : null;
  }
  return (await hasResults(dirname(path))) && (await listSuites(dirname(path))).includes(basename(path))
    ? { root: dirname(path), start: null }
    : null;
}

async function foreignOf(path: string): Promise<readonly ForeignFolder[]> {
  const all = await foreignIterations(path);
  if (all.length > 0) return all;
  const one = await foreignAt(path);
  return one === null ? foreignBelow(path) : [one];
}

async function imported(
  foreign: readonly ForeignFolder[],
  root: string,
  machine: Machine,
): Promise<FoundResults> {
  let start: IterationAddress | null = null;
  let problem: unknown = null;
  for (const one of foreign) {
    try {
      const { root: at } = await importIteration(one, importingTo(root, machine));
      start = { skill: `${IMPORTS}/${basename(dirname(at))}`, n: one.number };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problem = error;
      machine.note(`${one.root}: ${error.message}`);
    }
  }
  if (start === null) throw problem;
  return { root, start };
}

function nothing(root: string): UserError {
  return new UserError("view/no-results", `there are no results in ${root}`, {
    hint: "assay run makes the first; assay demo shows some; --workspace sets another place for results",
  });
}
