import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { foldersIn } from "../folders-in.ts";
import { iterationFolder } from "../layout.ts";
import { bmadLabel, looksLikeBmad, readBmad } from "./bmad.ts";
import { looksLikeClauditor, readClauditor } from "./clauditor.ts";
import type { ForeignIteration } from "./foreign.ts";
import { looksLikePluginEval, readPluginEval } from "./plugin-eval.ts";
import { isVersion, looksLikeSkillCreator, readSkillCreator } from "./skill-creator.ts";

/** A folder that holds results of another tool, and how to read them. */
export interface ForeignFolder {
  readonly root: string;
  /** What its iterations have in common and no others do; a path, though there need be nothing there. */
  readonly series: string;
  /** Its place in the series, from 1. */
  readonly number: number;
  readonly read: () => Promise<ForeignIteration>;
}

/**
 * The iteration of another tool that a path lies in or stands for: the path itself or the nearest folder above it, or, of a
 * whole workspace, the newest iteration. Null: there is none, or it is ours.
 */
export async function foreignAt(path: string): Promise<ForeignFolder | null> {
  if (!isFolder(path)) return null;
  const places = [...upToProject(path)];
  if (places.some((at) => existsSync(iterationFolder(at).journal))) return null;
  const iterations = places.filter((at) => ITERATION.test(basename(at)));
  // What lies in an iteration may itself look like a workspace.
  for (const at of new Set([...iterations, ...places])) {
    const [found] = await iterationsAt(at);
    if (found !== undefined) return found;
  }
  return (await foreignIterations(path)).at(-1) ?? null;
}

/** `iteration-3`, or, where several were made side by side, `iteration-3-gpt-5`. */
const ITERATION = /^iteration-(\d{1,9})(-.+)?$/;

/** A folder and those above it, as far as the project goes. */
function* upToProject(path: string): Generator<string> {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    yield at;
    if (existsSync(join(at, ".git"))) return;
  }
}

/** All iterations of a workspace of another tool, oldest first in each series; none where it is no such thing. */
export async function foreignIterations(path: string): Promise<readonly ForeignFolder[]> {
  const root = isFolder(join(path, ".clauditor")) ? join(path, ".clauditor") : path;
  const found: ForeignFolder[] = [];
  for (const name of await foldersIn(root)) {
    const at = join(root, name);
    const isOwn = existsSync(iterationFolder(at).journal);
    if (!isOwn && (ITERATION.test(name) || isVersion(at) || (await isRunFolder(at))))
      found.push(...(await iterationsAt(at)));
  }
  return found.sort((a, b) => compare(a.series, b.series) || a.number - b.number);
}

/** What lies a little deeper than a workspace would: below a folder of several, or of benchmarks by their time. */
export async function foreignBelow(path: string, depth = 2): Promise<readonly ForeignFolder[]> {
  const found: ForeignFolder[] = [];
  for (const name of (await foldersIn(path)).filter((folder) => !NEVER_RESULTS.test(folder))) {
    const at = join(path, name);
    if (existsSync(iterationFolder(at).journal)) continue;
    const here = await iterationsAt(at);
    const all = here.length > 0 ? here : await foreignIterations(at);
    found.push(...(all.length > 0 || depth === 1 ? all : await foreignBelow(at, depth - 1)));
  }
  return found;
}

const NEVER_RESULTS = /^(?:node_modules|\..*)$/;

/** The other iterations of the same series, and itself. */
export async function seriesOf(one: ForeignFolder): Promise<readonly ForeignFolder[]> {
  const workspace = /^(.*?)[/\\]iteration-\d/.exec(one.root)?.[1] ?? dirname(one.root);
  const beside = await foreignIterations(workspace);
  const found = beside.filter(({ series }) => series === one.series);
  return found.length === 0 ? [one] : found;
}

/** Several where one iteration holds several skills. */
async function iterationsAt(at: string): Promise<readonly ForeignFolder[]> {
  const name = basename(at);
  if (looksLikeClauditor(at)) return [clauditorFolder(at)];
  const [, number, mark = ""] = ITERATION.exec(name) ?? [];
  if (number !== undefined) {
    const skills = (await foldersIn(at)).map((skill) => join(at, skill)).filter(looksLikeClauditor);
    if (skills.length > 0) return skills.map(clauditorFolder);
    const series = `${dirname(at)}${mark}`;
    return looksLikeSkillCreator(at) ? [skillCreatorFolder(at, series, Number(number))] : [];
  }
  if (isVersion(at))
    return [skillCreatorFolder(at, join(dirname(at), "versions"), Number(name.slice(1)) + 1)];
  if (await looksLikePluginEval(at)) return [await pluginEvalFolder(at)];
  if (await looksLikeBmad(at)) return [await bmadFolder(at)];
  return isEvalWorkspace(at) ? [skillCreatorFolder(at, at, 1)] : [];
}

/** Of tools that make a folder with a name of its own for each run. */
async function isRunFolder(at: string): Promise<boolean> {
  return (await looksLikeBmad(at)) || looksLikePluginEval(at);
}

function skillCreatorFolder(root: string, series: string, number: number): ForeignFolder {
  return { root, series, number: number || 1, read: () => readSkillCreator(root) };
}

/** `.clauditor/iteration-N/<skill>`. */
function clauditorFolder(root: string): ForeignFolder {
  const iteration = dirname(root);
  const number = Number(ITERATION.exec(basename(iteration))?.[1] ?? 1) || 1;
  return { root, series: join(dirname(iteration), basename(root)), number, read: () => readClauditor(root) };
}

/** Run folders lie beside each other and are called by their time. */
async function bmadFolder(root: string): Promise<ForeignFolder> {
  const [parent, label] = [dirname(root), bmadLabel(root)];
  const earlier = (await foldersIn(parent)).filter(
    (name) => bmadLabel(name) === label && name < basename(root),
  );
  const runs = await Promise.all(earlier.map((name) => looksLikeBmad(join(parent, name))));
  const number = runs.filter(Boolean).length + 1;
  return { root, series: join(parent, label), number, read: () => readBmad(root) };
}

/** They lie beside each other; their names, if not their numbers, tell the order. */
async function pluginEvalFolder(root: string): Promise<ForeignFolder> {
  const parent = dirname(root);
  const earlier = (await foldersIn(parent)).filter((name) => name < basename(root));
  const results = await Promise.all(earlier.map((name) => looksLikePluginEval(join(parent, name))));
  return {
    root,
    series: parent,
    number: results.filter(Boolean).length + 1,
    read: () => readPluginEval(root),
  };
}

/** skill-creator's older layouts: evals, or a benchmark with its runs, without an iteration around them. */
function isEvalWorkspace(at: string): boolean {
  const name = basename(at);
  if (name === "runs" || /^(eval|run)-|^(outputs|inputs|with_skill|without_skill)$/.test(name)) return false;
  return looksLikeSkillCreator(at) && !existsSync(join(at, "SKILL.md"));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
