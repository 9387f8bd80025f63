import { readdir, stat } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";
import type { EventOf } from "../domain/event.ts";
import type { Trial } from "../domain/trial.ts";
import { UserError } from "../domain/user-error.ts";
import { readIteration } from "../store/iteration.ts";
import { type IterationFolder, iterationFolder, projectFolder } from "../store/layout.ts";
import { listIterations } from "../store/iterations.ts";
import type { IterationState } from "../store/state.ts";

export interface FoundIteration {
  readonly folder: IterationFolder;
  readonly state: IterationState;
}

export interface FoundRun extends FoundIteration {
  readonly finished: EventOf<"trial-finished">;
}

/** The iteration a person means: a folder called iteration-N or anything in it, a skill's name, or nothing at all for the newest. */
export async function findIteration(
  name: string | null,
  { cwd, results }: { readonly cwd: string; readonly results: string },
): Promise<FoundIteration> {
  const folder =
    name === null
      ? await newest(results)
      : ((await above(resolve(cwd, name))) ?? (await newestOf(results, name)));
  if (folder === null) throw nowhere(name, results);
  const { state } = await readIteration(folder);
  if (state.iteration === null) {
    throw new UserError("store/no-iteration", `${folder.journal} does not say what was run`, {
      hint: "the run ended before it began, or the file was changed; run it again, or name another iteration",
    });
  }
  return { folder, state };
}

/**
 * A run folder, or a trial id within the newest iteration. Less of either means the first run of what it names, with the
 * skill where there is one.
 */
export async function findRun(
  name: string,
  places: { readonly cwd: string; readonly results: string },
): Promise<FoundRun> {
  const path = resolve(places.cwd, name);
  const inFolder = await above(path);
  const { folder, state } =
    inFolder === null ? await findIteration(null, places) : await findIteration(name, places);
  const runs = [...state.runs.values()].toSorted((a, b) => byVariantAndRepetition(a.trial, b.trial));
  const finished =
    runs.find((run) => folder.run(run.folder).root === path || run.trial.id === name) ??
    runs.find(
      (run) => folder.run(run.folder).root.startsWith(`${path}${sep}`) || run.trial.id.startsWith(`${name}/`),
    );
  if (finished !== undefined) return { folder, state, finished };
  throw new UserError("show/no-run", `there is no run ${JSON.stringify(name)} in ${folder.root}`, {
    hint: runs.length === 0 ? "no run of it has ended yet" : `it has ${someOf(runs)}`,
  });
}

function byVariantAndRepetition(a: Trial, b: Trial): number {
  const after = ({ variant }: Trial) => (variant === "with_skill" ? 0 : 1);
  return after(a) - after(b) || a.repetition - b.repetition;
}

function someOf(runs: readonly EventOf<"trial-finished">[]): string {
  const ids = runs.map((run) => run.trial.id).toSorted();
  return [...ids.slice(0, 8), ...(ids.length > 8 ? [`${ids.length - 8} more`] : [])].join(", ");
}

async function above(path: string): Promise<IterationFolder | null> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return null;
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (/^iteration-\d+$/.test(basename(at))) return iterationFolder(at);
  }
  return null;
}

async function newestOf(results: string, suite: string): Promise<IterationFolder | null> {
  return (await listIterations(projectFolder(results).suite(suite).root)).at(-1)?.folder ?? null;
}

async function newest(results: string): Promise<IterationFolder | null> {
  const suites = await readdir(results).catch(() => []);
  const found = await Promise.all(suites.map((suite) => newestOf(results, suite)));
  const dated = await Promise.all(
    found
      .filter((folder) => folder !== null)
      .map(async (folder) => ({ folder, at: (await stat(folder.journal).catch(() => null))?.mtimeMs ?? 0 })),
  );
  return dated.toSorted((a, b) => b.at - a.at)[0]?.folder ?? null;
}

function nowhere(name: string | null, results: string): UserError {
  return new UserError(
    "store/no-iteration",
    name === null ? `there are no results in ${results}` : `${JSON.stringify(name)} names no iteration`,
    {
      hint: "name an iteration-N folder or a skill that was run; --workspace names another place for results; assay run makes the first",
    },
  );
}
