import { stat } from "node:fs/promises";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { EventOf } from "../domain/event.ts";
import type { Trial } from "../domain/trial.ts";
import { UserError } from "../domain/user-error.ts";
import { nearest } from "../lib/nearest.ts";
import { readIteration } from "../store/iteration.ts";
import { type IterationFolder, iterationFolder, projectFolder } from "../store/layout.ts";
import { listIterations, listSuites } from "../store/iterations.ts";
import type { IterationState } from "../store/state.ts";

export interface FoundIteration {
  readonly folder: IterationFolder;
  readonly state: IterationState;
}

export interface FoundRun extends FoundIteration {
  readonly finished: EventOf<"trial-finished">;
}

interface Places {
  readonly cwd: string;
  /** The `.assay` folder. */
  readonly results: string;
}

/**
 * The iteration a person means: a folder called iteration-N or anything in it; `SKILL@N`; a skill's name or directory for
 * its newest; nothing at all for the newest of all.
 */
export async function findIteration(name: string | null, places: Places): Promise<FoundIteration> {
  const { cwd, results } = places;
  const folder =
    name === null
      ? await newest(results)
      : ((await above(resolve(cwd, name))) ??
        (await named(name, places)) ??
        (await newestOf(results, basename(resolve(cwd, name)))));
  if (folder === null) throw await nowhere(name, results);
  return open(folder);
}

/**
 * A run folder, or a trial id or run folder's name within the newest iteration; after `SKILL/` or `SKILL@N/`, within that one.
 * Less of either means the first run of what it names, with the skill where there is one; an iteration alone, the first run
 * with a check that did not pass.
 */
export async function findRun(name: string, places: Places): Promise<FoundRun> {
  const path = resolve(places.cwd, name);
  const inFolder = await above(path);
  if (inFolder !== null) {
    const found = await open(inFolder);
    return pick(found, relative(inFolder.root, path)) ?? noRun(name, found);
  }
  const last = await newest(places.results);
  const found = last === null ? null : await open(last);
  const picked = found === null || name === "" ? null : pick(found, name);
  if (picked !== null) return picked;
  const [suite = "", ...rest] = name.split("/");
  const other = await named(suite, places);
  if (other !== null) {
    const asked = await open(other);
    return pick(asked, rest.join("/")) ?? noRun(name, asked);
  }
  if (found === null) throw await nowhere(null, places.results);
  return noRun(name, found);
}

/** By trial id or by folder in the iteration; what begins so, in the order of the cases. */
function pick({ folder, state }: FoundIteration, wanted: string): FoundRun | null {
  const text = wanted.split(sep).join("/").replace(/\/+$/, "");
  const place = new Map(state.cases.map(({ id }, index) => [id, index]));
  const runs = [...state.runs.values()].toSorted(
    (a, b) =>
      (place.get(a.trial.caseId) ?? 0) - (place.get(b.trial.caseId) ?? 0) ||
      byVariantAndRepetition(a.trial, b.trial),
  );
  const names = (run: EventOf<"trial-finished">) => [run.trial.id, run.folder];
  const isOpen = ({ trial }: EventOf<"trial-finished">) =>
    state.gradings.get(trial.id)?.verdicts.some(({ status }) => status !== "passed") ?? true;
  const finished =
    text === ""
      ? (runs.find(isOpen) ?? runs[0])
      : (runs.find((run) => names(run).includes(text)) ??
        runs.find((run) => names(run).some((one) => one.startsWith(`${text}/`))));
  return finished === undefined ? null : { folder, state, finished };
}

function byVariantAndRepetition(a: Trial, b: Trial): number {
  const after = ({ variant }: Trial) => (variant === "with_skill" ? 0 : 1);
  return after(a) - after(b) || a.repetition - b.repetition;
}

function noRun(name: string, { folder, state }: FoundIteration): never {
  const runs = [...state.runs.values()];
  throw new UserError("show/no-run", `there is no run ${JSON.stringify(name)} in ${folder.root}`, {
    hint:
      runs.length === 0
        ? "no run of it has ended yet"
        : `it has ${someOf(runs)}; SKILL/RUN and SKILL@N/RUN name a run of another iteration`,
  });
}

function someOf(runs: readonly EventOf<"trial-finished">[]): string {
  const ids = runs.map((run) => run.trial.id).toSorted();
  return [...ids.slice(0, 8), ...(ids.length > 8 ? [`${ids.length - 8} more`] : [])].join(", ");
}

async function open(folder: IterationFolder): Promise<FoundIteration> {
  const { state } = await readIteration(folder);
  if (state.iteration === null) {
    throw new UserError("store/no-iteration", `${folder.journal} does not say what was run`, {
      hint: "the run ended before it began, or the file was changed; run it again, or name another iteration",
    });
  }
  return { folder, state };
}

async function above(path: string): Promise<IterationFolder | null> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return null;
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (/^iteration-\d+$/.test(basename(at))) return iterationFolder(at);
  }
  return null;
}

/** `SKILL` or `SKILL@N`. */
async function named(text: string, { results }: Places): Promise<IterationFolder | null> {
  const [, suite, number] = /^(.+)@(\d{1,9})$/.exec(text) ?? [];
  if (suite === undefined || number === undefined) return newestOf(results, text);
  const all = await listIterations(projectFolder(results).suite(suite).root);
  const found = all.find((one) => one.number === Number(number));
  if (found !== undefined || all.length === 0) return found?.folder ?? null;
  throw new UserError("store/no-iteration", `${suite} has no iteration ${number} in ${results}`, {
    hint: `it has ${all.map((one) => one.number).join(", ")}`,
  });
}

async function newestOf(results: string, suite: string): Promise<IterationFolder | null> {
  return (await listIterations(projectFolder(results).suite(suite).root)).at(-1)?.folder ?? null;
}

async function newest(results: string): Promise<IterationFolder | null> {
  const found = await Promise.all((await listSuites(results)).map((suite) => newestOf(results, suite)));
  const dated = await Promise.all(
    found
      .filter((folder) => folder !== null)
      .map(async (folder) => ({ folder, at: (await stat(folder.journal).catch(() => null))?.mtimeMs ?? 0 })),
  );
  return dated.toSorted((a, b) => b.at - a.at)[0]?.folder ?? null;
}

async function nowhere(name: string | null, results: string): Promise<UserError> {
  const suites = await listSuites(results);
  const meant = name === null ? null : nearest(basename(name), suites);
  const empty = `there are no results in ${results}`;
  return new UserError(
    "store/no-iteration",
    name === null
      ? empty
      : `${JSON.stringify(name)} names no iteration${suites.length === 0 ? `: ${empty}` : ` in ${results}`}`,
    {
      hint:
        suites.length === 0
          ? "assay run makes the first; --workspace names another place for results"
          : meant === null
            ? `name an iteration-N folder, or SKILL or SKILL@N; there are results of ${suites.join(", ")}`
            : `did you mean ${meant}?`,
    },
  );
}
