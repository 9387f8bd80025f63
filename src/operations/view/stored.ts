import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Iteration } from "../../domain/iteration.ts";
import type { IterationAddress } from "../../domain/pages.ts";
import type { RunAddress } from "../../domain/run-pages.ts";
import type { Case } from "../../domain/suite.ts";
import type { Summary } from "../../domain/summary.ts";
import { UserError } from "../../domain/user-error.ts";
import { summarize } from "../../report/summarize.ts";
import { readIteration } from "../../store/iteration.ts";
import { listIterations, listSuites, type NumberedIteration } from "../../store/iterations.ts";
import {
  IMPORTS,
  type IterationFolder,
  type RunFolder,
  type SuiteFolder,
  suiteFolder,
} from "../../store/layout.ts";
import { readSummary } from "../shared/kept-run.ts";
import type { FinishedTrial, IterationState } from "../../store/state.ts";

/** The results folder as the viewer reads it: only what is listed there can be named. */
export interface StoredResults {
  /** The `.assay` folder. */
  readonly root: string;
  /** What addresses call the skills, in the order of the alphabet; what other tools left comes last. */
  readonly skills: () => Promise<readonly string[]>;
  readonly suite: (skill: string) => Promise<SuiteFolder>;
  readonly iterations: (skill: string) => Promise<readonly NumberedIteration[]>;
  readonly folder: (at: IterationAddress) => Promise<IterationFolder>;
  readonly iteration: (at: IterationAddress) => Promise<ViewedIteration>;
  readonly run: (at: RunAddress) => Promise<ViewedRun>;
}

export interface ViewedIteration {
  readonly at: IterationAddress;
  readonly folder: IterationFolder;
  readonly state: IterationState;
  readonly iteration: Iteration;
  readonly summary: Summary;
  /** What could not be read of it. */
  readonly problems: readonly string[];
}

export interface ViewedRun {
  readonly at: RunAddress;
  readonly within: ViewedIteration;
  readonly finished: FinishedTrial;
  readonly one: Case | undefined;
  readonly files: RunFolder;
}

export function storedResults(root: string): StoredResults {
  const opened = new Map<string, { readonly version: string; readonly found: Promise<ViewedIteration> }>();

  const skills = async () => {
    const own = (await listSuites(root)).filter((name) => name !== IMPORTS);
    const foreign = await listSuites(join(root, IMPORTS));
    return [...own, ...foreign.map((name) => `${IMPORTS}/${name}`)];
  };
  const suite = async (skill: string) => {
    if ((await skills()).includes(skill)) return suiteFolder(join(root, ...skill.split("/")));
    throw notFound(`there are no results of ${JSON.stringify(skill)}`);
  };
  const iterations = async (skill: string) => listIterations((await suite(skill)).root);
  const folderOf = async (at: IterationAddress) => {
    const found = (await iterations(at.skill)).find(({ number }) => number === at.n);
    if (found === undefined) throw notFound(`${at.skill} has no iteration ${at.n}`);
    return found.folder;
  };
  const iteration = async (at: IterationAddress) => {
    const folder = await folderOf(at);
    const version = await versionOf(folder);
    const kept = opened.get(folder.root);
    opened.delete(folder.root);
    const reading = kept?.version === version ? kept.found : open(at, folder);
    opened.set(folder.root, { version, found: reading });
    reading.catch(() => opened.delete(folder.root));
    for (const oldest of [...opened.keys()].slice(0, -MOST_OPEN)) opened.delete(oldest);
    return reading;
  };
  return {
    root,
    skills,
    suite,
    iterations,
    folder: folderOf,
    iteration,
    async run(at) {
      const within = await iteration(at);
      const finished = within.state.runs.get(at.trial);
      if (finished === undefined) throw notFound(`no run ${JSON.stringify(at.trial)} of it has ended`);
      return {
        at,
        within,
        finished,
        one: within.state.cases.find(({ id }) => id === finished.trial.caseId),
        files: within.folder.run(finished.folder),
      };
    },
  };
}

/** One with ten thousand runs takes a second to read and 100 MB to hold. */
const MOST_OPEN = 4;

export function notFound(message: string): UserError {
  return new UserError("view/not-found", message, {
    hint: "it may have been removed; go back to the overview",
  });
}

async function open(at: IterationAddress, folder: IterationFolder): Promise<ViewedIteration> {
  const { state, diagnostics } = await readIteration(folder);
  const { iteration } = state;
  if (iteration === null)
    throw new UserError("view/unreadable", `${shortName(folder)} does not say what was run`, {
      hint: "the run stopped before it started, or journal.jsonl was changed",
    });
  return {
    at,
    folder,
    state,
    iteration,
    summary: await summaryOf(folder, { ...state, iteration }),
    problems: diagnostics.map(({ message, at: place }) =>
      place === null ? message : `${basename(place.file)}:${place.line}: ${message}`,
    ),
  };
}

/** As it was kept, with the gates of then; while there is none, or more was run since, what the journal says. */
async function summaryOf(
  folder: IterationFolder,
  evaluated: IterationState & { readonly iteration: Iteration },
) {
  const [kept, journal] = await Promise.all(
    [folder.summary, folder.journal].map((path) => stat(path).catch(() => null)),
  );
  if (kept && journal && kept.mtimeMs >= journal.mtimeMs) {
    const summary = await readSummary(folder);
    if (summary !== null) return summary;
  }
  return summarize(evaluated, { allowMissing: 0, minPassRate: null });
}

async function versionOf({ journal, summary }: IterationFolder): Promise<string> {
  const found = await Promise.all([journal, summary].map((path) => stat(path).catch(() => null)));
  return found.map((one) => `${one?.size} ${one?.mtimeMs}`).join(" ");
}

function shortName({ root }: IterationFolder): string {
  return `${basename(dirname(root))}/${basename(root)}`;
}
