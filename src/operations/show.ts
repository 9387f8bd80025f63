import { readFile } from "node:fs/promises";
import type { EventOf } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import type { Iteration } from "../domain/iteration.ts";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { text } from "../options/kind.ts";
import { type Given, option, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import { promptText } from "../store/write/eval-metadata.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { findRun } from "./find-run.ts";

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
  /** Null: the iteration no longer says. */
  readonly prompt: string | null;
  /** The text that text checks read; null: there is none. */
  readonly answer: string | null;
  /** Absolute path of everything that was kept of it. */
  readonly folder: string;
}

/** The run that a person means. */
export async function show(options: ShowOptions, door: Door): Promise<ShownRun> {
  const open = openDoor(door);
  const { cwd } = open.machine;
  const { run: name, workspace } = settle(SHOW_OPTIONS, options, sourcesOf(open));
  const results = resultsFolder(workspace, open.machine);
  const { folder, state, finished } = await findRun(name ?? noRun(), { cwd, results });
  const { iteration } = state;
  if (iteration === null) throw new Error("an iteration was found without its start");
  const { trial } = finished;
  const one = state.cases.find(({ id }) => id === trial.caseId);
  const files = folder.run(finished.folder);
  return {
    iteration,
    finished,
    grading: state.gradings.get(trial.id) ?? null,
    prompt: one === undefined ? null : promptText(one, trial.variant, iteration.suite),
    answer: await readFile(files.outputText, "utf8").catch(() => null),
    folder: files.root,
  };
}

function noRun(): never {
  throw new UserError("show/no-run", "it is not said which run to show", {
    hint: "name a run folder, or a trial of the newest iteration, such as A1/with_skill/run-2",
  });
}
