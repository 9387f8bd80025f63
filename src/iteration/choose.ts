import { stat } from "node:fs/promises";
import { relative } from "node:path";
import type { Json } from "../domain/json.ts";

import {
  createIteration,
  listIterations,
  type NumberedIteration,
  unbegunIteration,
} from "../store/iterations.ts";
import { readIteration } from "../store/iteration.ts";
import { type IterationFolder, projectFolder } from "../store/layout.ts";
import { readManifest } from "../store/manifest.ts";

export interface ChosenIteration {
  readonly number: number;
  readonly folder: IterationFolder;
  /** Something the user may want to do about an earlier one. */
  readonly note: string | null;
}

/** What makes an iteration one that can be gone on with. */
export interface Wanted {
  readonly suite: string;
  readonly harness: string;
  readonly model: string | null;
  /** Where the skill lies for people; null where there is none. */
  readonly skillPath: string | null;
  /** What a benchmark compares; null for a plain run. */
  readonly compared: Compared | null;
}

interface Compared {
  readonly arms: readonly string[];
  /** The versions by the names a person gave them; the newer one's is null where it is the skill as it lies there. */
  readonly against: Json;
  readonly version: Json;
}

/** With `--resume` the last iteration of the same skill, harness, model and comparison; otherwise a new one. */
export async function chooseIteration(
  results: string,
  plan: Wanted,
  resume: boolean,
): Promise<ChosenIteration> {
  const suite = projectFolder(results).suite(plan.suite);
  const namesake = await namesakeIn(suite.root, results, plan.skillPath);
  const last = namesake === null ? await newestLike(suite.root, plan) : null;
  if (resume && last !== null) return { ...last, note: null };
  const created = (resume ? await unbegunIteration(suite.root) : null) ?? (await createIteration(suite));
  if (namesake !== null) return { ...created, note: noteOnNamesake(plan.suite, namesake) };
  const unfinished = last !== null && (await readIteration(last.folder)).state.ended !== "complete";
  return {
    ...created,
    note: noteOn({ resume, unfinished: unfinished ? last.number : null, created: created.number }),
  };
}

/** The iterations of the same skill, harness, model and comparison, newest first, each looked for when it is asked for. */
export async function* earlierIterations(results: string, plan: Wanted): AsyncGenerator<NumberedIteration> {
  const { root } = projectFolder(results).suite(plan.suite);
  if ((await namesakeIn(root, results, plan.skillPath)) === null) yield* iterationsLike(root, plan);
}

function noteOn(one: { resume: boolean; unfinished: number | null; created: number }): string | null {
  if (one.resume)
    return `--resume found nothing to continue for this agent and model, so iteration-${one.created} starts from scratch`;
  return one.unfinished === null
    ? null
    : `iteration-${one.unfinished} was not finished; the same command with --resume continues it`;
}

/**
 * Another skill of this name that the newest iteration was about. Names are told apart among skills that are run
 * together; two that are each run alone share one folder.
 */
async function namesakeIn(
  suiteRoot: string,
  results: string,
  skillPath: string | null,
): Promise<string | null> {
  const newest = (await listIterations(suiteRoot)).at(-1);
  const path = newest === undefined ? null : (await readManifest(newest.folder.manifest))?.skill?.path;
  if (path === undefined || path === null || skillPath === null || path === skillPath) return null;
  const isVersionOfOurs = !relative(results, path).startsWith("..");
  return isVersionOfOurs || (await stat(path).catch(() => null)) === null ? null : path;
}

function noteOnNamesake(suite: string, path: string): string {
  return `the last iteration of ${suite} in this folder is about another skill, ${path}; --workspace keeps the two apart`;
}

async function newestLike(suiteRoot: string, plan: Wanted): Promise<NumberedIteration | null> {
  for await (const one of iterationsLike(suiteRoot, plan)) return one;
  return null;
}

async function* iterationsLike(suiteRoot: string, plan: Wanted): AsyncGenerator<NumberedIteration> {
  for (const candidate of (await listIterations(suiteRoot)).toReversed()) {
    const manifest = await readManifest(candidate.folder.manifest);
    if (manifest === null || manifest.harness !== plan.harness || manifest.model !== plan.model) continue;
    const { bench } = manifest.options as { bench?: Partial<Compared> };
    if (isSame(bench ?? null, plan.compared)) yield candidate;
  }
}

function isSame(one: Partial<Compared> | null, other: Compared | null): boolean {
  const said = (compared: Partial<Compared> | null) =>
    compared === null ? null : [compared.arms ?? [], compared.against ?? null, compared.version ?? null];
  return JSON.stringify(said(one)) === JSON.stringify(said(other));
}
