import { stat } from "node:fs/promises";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { EventOf } from "../domain/event.ts";
import { isOfInstalledSkill, type Iteration, speaksForSkill } from "../domain/iteration.ts";
import type { Trial } from "../domain/trial.ts";
import { UserError } from "../domain/user-error.ts";
import { nearest } from "../lib/nearest.ts";
import { someOf } from "../lib/some-of.ts";
import type { Machine } from "../machine.ts";
import { foreignAt } from "../store/foreign/find.ts";
import { readIteration } from "../store/iteration.ts";
import { type IterationFolder, iterationFolder, projectFolder } from "../store/layout.ts";
import { listIterations, listSuites } from "../store/iterations.ts";
import { readManifest } from "../store/manifest.ts";
import type { IterationState } from "../store/state.ts";
import { importedFrom, importedName, importingTo, importIteration } from "./import/import.ts";

export interface FoundIteration {
  readonly folder: IterationFolder;
  readonly state: IterationState;
}

export interface FoundRun extends FoundIteration {
  readonly finished: EventOf<"trial-finished">;
}

export interface RunPlaces {
  readonly machine: Pick<Machine, "cwd" | "env" | "note">;
  /** The `.assay` folder. */
  readonly results: string;
}

/**
 * The iteration a person means: a folder called iteration-N or anything in it, also of another tool; `SKILL@N`; a skill's
 * name or directory for its newest, of those that `isMeant` says where there are any; nothing at all for the newest of all.
 */
export async function findIteration(
  name: string | null,
  places: RunPlaces,
  isMeant?: (iteration: Iteration) => boolean,
): Promise<FoundIteration> {
  const { results } = places;
  const { cwd } = places.machine;
  const folder =
    name === null
      ? await newest(results)
      : ((await above(resolve(cwd, name), places)) ??
        (await named(name, places, isMeant)) ??
        (await newestOf(results, basename(resolve(cwd, name)), isMeant)));
  if (folder === null) throw await nowhere(name, results);
  return open(folder, places);
}

/** The iterations that one call made, in the order of the alphabet; each is opened. */
export async function iterationsOf(group: string, places: RunPlaces): Promise<readonly FoundIteration[]> {
  const suites = await listSuites(places.results);
  const all = await Promise.all(
    suites.map((suite) => listIterations(projectFolder(places.results).suite(suite).root)),
  );
  const ofGroup = await Promise.all(
    all.flat().map(async ({ folder }) => {
      const manifest = await readManifest(folder.manifest).catch(() => null);
      return manifest?.group === group ? [folder] : [];
    }),
  );
  return await Promise.all(ofGroup.flat().map((folder) => open(folder, places)));
}

/**
 * A run folder, or a trial id or run folder's name within the newest iteration; after `SKILL/` or `SKILL@N/`, within that one.
 * Less of either, or a case's name, means the first run of what it names, with the skill where there is one; a number that is
 * no case's own, the case at that place of the report; an iteration alone, the first run with a check that did not pass.
 */
export async function findRun(name: string, places: RunPlaces): Promise<FoundRun> {
  const path = resolve(places.machine.cwd, name);
  const inFolder = await above(path, places);
  if (inFolder !== null) {
    const found = await open(inFolder, places);
    return pick(found, wayTo(path, found)) ?? noRun(name, found);
  }
  const last = await newest(places.results);
  const found = last === null ? null : await open(last, places);
  const picked = found === null || name === "" ? null : pick(found, name);
  if (picked !== null) return picked;
  const [suite = "", ...rest] = name.split("/");
  const other = await named(suite, places, speaksForSkill);
  if (other !== null) {
    const asked = await open(other, places);
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
        runs.find((run) => names(run).some((one) => one.startsWith(`${text}/`))) ??
        runs.find(({ trial }) => state.cases.some(({ id, name }) => name === text && id === trial.caseId)) ??
        runs.find(({ trial }) => /^\d{1,9}$/.test(text) && place.get(trial.caseId) === Number(text) - 1));
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
        : `it has ${someOf(runs.map(({ trial }) => trial.id).toSorted())}; SKILL/RUN and SKILL@N/RUN name a run of another iteration`,
  });
}

async function open(folder: IterationFolder, { machine }: RunPlaces): Promise<FoundIteration> {
  const { state, diagnostics } = await readIteration(folder);
  for (const diagnostic of diagnostics) machine.note(diagnostic);
  if (state.iteration === null) {
    throw new UserError("store/no-iteration", `${folder.journal} does not say what was run`, {
      hint: "the run stopped before it started, or the file was changed; run it again, or choose another iteration",
    });
  }
  return { folder, state };
}

/** Of a run of another tool, what it is called in the import. */
function wayTo(path: string, { folder, state }: FoundIteration): string {
  const source = importedFrom(state.iteration?.options);
  if (source === null) return relative(folder.root, path);
  const way = relative(source, path).replaceAll("\\", "/");
  if (way.startsWith("..")) return "";
  return importedName(state.iteration?.options, way) ?? way;
}

async function above(path: string, { machine, results }: RunPlaces): Promise<IterationFolder | null> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return null;
  const own = ownAbove(path);
  if (own !== null && (await stat(own.journal).catch(() => null)) !== null) return own;
  const foreign = await foreignAt(path);
  return foreign === null ? own : importIteration(foreign, importingTo(results, machine));
}

function ownAbove(path: string): IterationFolder | null {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (/^iteration-\d+$/.test(basename(at))) return iterationFolder(at);
  }
  return null;
}

/** `SKILL` or `SKILL@N`. */
async function named(
  text: string,
  { results }: RunPlaces,
  isMeant?: (iteration: Iteration) => boolean,
): Promise<IterationFolder | null> {
  const [, suite, number] = /^(.+)@(\d{1,9})$/.exec(text) ?? [];
  if (suite === undefined || number === undefined) return newestOf(results, text, isMeant);
  const all = await listIterations(projectFolder(results).suite(suite).root);
  const found = all.find((one) => one.number === Number(number));
  if (found !== undefined || all.length === 0) return found?.folder ?? null;
  throw new UserError("store/no-iteration", `${suite} has no iteration ${number} in ${results}`, {
    hint: `it has ${all.map((one) => one.number).join(", ")}`,
  });
}

/** Of the installed skill, where there are any: nobody means a rejected draft by the skill's name. */
async function newestOf(
  results: string,
  suite: string,
  isMeant: (iteration: Iteration) => boolean = isOfInstalledSkill,
): Promise<IterationFolder | null> {
  const all = (await listIterations(projectFolder(results).suite(suite).root)).toReversed();
  for (const { folder } of all) {
    const manifest = await readManifest(folder.manifest).catch(() => null);
    if (manifest === null || isMeant(manifest)) return folder;
  }
  return isMeant === isOfInstalledSkill ? (all[0]?.folder ?? null) : newestOf(results, suite);
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
      : `${JSON.stringify(name)} is not an iteration${suites.length === 0 ? `: ${empty}` : ` in ${results}`}`,
    {
      hint:
        suites.length === 0
          ? "assay run makes the first; --workspace sets another place for results"
          : meant === null
            ? `pass an iteration-N folder, or SKILL or SKILL@N; there are results of ${suites.join(", ")}`
            : `did you mean ${meant}?`,
    },
  );
}
