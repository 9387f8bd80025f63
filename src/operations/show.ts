import { readFile } from "node:fs/promises";
import type { EventOf } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { Case } from "../domain/suite.ts";
import type { Bound } from "../domain/summary.ts";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { text } from "../options/kind.ts";
import { type Given, option, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import { isHeld } from "../report/held.ts";
import type { IterationReport } from "../report/reporter.ts";
import type { RunFolder } from "../store/layout.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { type FoundIteration, type FoundRun, findIteration, findRun, iterationsOf } from "./find-run.ts";
import { boundsIn, changeDiff, promptOf, readSummary } from "./shared/kept-run.ts";

/** What `show` can be told. */
export const SHOW_OPTIONS = {
  run: option(null, text, "which run: a folder, a trial of the newest iteration, SKILL/RUN or SKILL@N/RUN"),
  ...PLACE,
};
export type ShowOptions = Given<typeof SHOW_OPTIONS>;

/** One run with what was asked, answered and found. */
export interface ShownRun {
  readonly iteration: Iteration;
  readonly finished: EventOf<"trial-finished">;
  /** Null: it was not graded. */
  readonly grading: Grading | null;
  /** What its case and the run itself were held to by the last summary, and what was reached. */
  readonly bounds: readonly Bound[];
  /** Null: the iteration no longer says. */
  readonly prompt: string | null;
  /** The text that text checks read; null: there is none. */
  readonly answer: string | null;
  /** What the run did to text files that were there before, as a patch. */
  readonly diffs: readonly string[];
  /** Absolute path of everything that was kept of it. */
  readonly folder: string;
}

/** The run that a person means. */
export async function show(options: ShowOptions, door: Door): Promise<ShownRun> {
  const open = openDoor(door);
  const { run: name, workspace } = settle(SHOW_OPTIONS, options, sourcesOf(open));
  const results = resultsFolder(workspace, open.machine);
  return await shownRun(await findRun(name ?? noRun(), { machine: open.machine, results }));
}

/** Every run under test that did not pass, in the order of the cases; of the newest iteration unless `run` names another. */
export async function showFailed(options: ShowOptions, door: Door): Promise<readonly ShownRun[]> {
  const open = openDoor(door);
  const { run: name, workspace } = settle(SHOW_OPTIONS, options, sourcesOf(open));
  const results = resultsFolder(workspace, open.machine);
  const { folder, state } = await findIteration(name, { machine: open.machine, results });
  const runs = state.trials.flatMap(({ id, variant }) => {
    const finished = state.runs.get(id);
    const isTested = state.iteration !== null && isHeld(variant, state.iteration);
    return finished === undefined || !isTested || hasPassed(id, state) ? [] : [finished];
  });
  return await Promise.all(runs.map((finished) => shownRun({ folder, state, finished })));
}

function hasPassed(trialId: string, { gradings }: FoundRun["state"]): boolean {
  return gradings.get(trialId)?.verdicts.every(({ status }) => status === "passed") ?? false;
}

/**
 * What was reported last: the newest iteration, or the one that `run` names, with those of the same call. A report is read as it
 * was made; nothing is summed up again.
 */
export async function showReports(options: ShowOptions, door: Door): Promise<readonly IterationReport[]> {
  const open = openDoor(door);
  const { run: name, workspace } = settle(SHOW_OPTIONS, options, sourcesOf(open));
  const results = resultsFolder(workspace, open.machine);
  const places = { machine: open.machine, results };
  const found = await findIteration(name, places);
  const group = found.state.iteration?.group ?? null;
  const others = group === null ? [] : await iterationsOf(group, places);
  const all = others.some(({ folder }) => folder.root === found.folder.root) ? others : [found];
  return await Promise.all(all.map(keptReport));
}

async function keptReport({ folder, state }: FoundIteration): Promise<IterationReport> {
  const { iteration } = state;
  const summary = await readSummary(folder);
  if (iteration === null || summary?.spending === undefined) {
    throw new UserError("show/no-report", `${folder.root} has no report that this version can show`, {
      hint: `assay grade ${iteration?.suite ?? "SKILL"}@${iteration?.number ?? "N"} makes it again without running anything; assay show RUN shows one run`,
    });
  }
  return {
    summary,
    evaluated: { ...state, iteration },
    folder: folder.root,
    runFolders: new Map([...state.runs].map(([id, finished]) => [id, finished.folder])),
  };
}

async function shownRun({ folder, state, finished }: FoundRun): Promise<ShownRun> {
  const { iteration } = state;
  if (iteration === null) throw new Error("an iteration was found without its start");
  const { trial } = finished;
  const one = state.cases.find(({ id }) => id === trial.caseId);
  const files = folder.run(finished.folder);
  return {
    iteration,
    finished,
    grading: state.gradings.get(trial.id) ?? null,
    prompt: promptOf(finished, one, iteration),
    bounds: boundsIn(await readSummary(folder), trial),
    answer: await readFile(files.outputText, "utf8").catch(() => null),
    diffs: await diffsOf(finished, one, files),
    folder: files.root,
  };
}

async function diffsOf(
  { run }: EventOf<"trial-finished">,
  one: Case | undefined,
  files: RunFolder,
): Promise<readonly string[]> {
  const changed = run.changes.filter(({ change }) => change !== "created");
  const diffs = await Promise.all(
    changed.map((change) => changeDiff(change, { one, files, mostBytes: MOST_DIFFED_BYTES })),
  );
  return diffs.filter((diff): diff is string => diff !== null && diff !== "");
}

/** More than anybody reads in a terminal. */
const MOST_DIFFED_BYTES = 256 * 1024;

function noRun(): never {
  throw new UserError("show/no-run", "which run should be shown?", {
    hint: "pass a run folder, or a trial of the newest iteration, such as 1/with_skill/run-2",
  });
}
