import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type {
  ImprovePage,
  IterationAddress,
  IterationPage,
  LiveCall,
  LiveState,
  OverviewPage,
  SkillPage,
  TriggerSetsPage,
  TriggersPage,
  VotesPage,
} from "../domain/pages.ts";
import type {
  ComparePage,
  FeedbackPage,
  FileArea,
  FileDiffPage,
  FileTextPage,
  RunAddress,
  RunPage,
  SearchPage,
  TimelineIndex,
  TimelinePage,
} from "../domain/run-pages.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import { installed } from "../engine/installation.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { shownPath } from "../lib/shown-path.ts";
import type { Machine } from "../machine.ts";
import { text, wholeNumber } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import { projectFolder } from "../store/layout.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { writing } from "./shared/writing.ts";
import { fileDiffPage, fileTextPage, type OpenedFile, openRunFile, openWithin } from "./view/files.ts";
import { comparePage } from "./view/compare.ts";
import { changeFeedback, feedbackPage, readEdit } from "./view/feedback.ts";
import { findResults } from "./view/find-results.ts";
import { improvePage } from "./view/improve.ts";
import { iterationPage } from "./view/iteration.ts";
import { liveStates } from "./view/live.ts";
import { overviewPage } from "./view/overview.ts";
import { runPage } from "./view/run.ts";
import { type Searching, searchPage } from "./view/search.ts";
import { skillPage } from "./view/skill.ts";
import { steerCall } from "./view/steer.ts";
import { storedResults } from "./view/stored.ts";
import { timelineIndex, timelinePage, wholeEvent } from "./view/timeline.ts";
import { changeTriggerSet, triggerSetsPage } from "./view/trigger-sets.ts";
import { triggersPage } from "./view/triggers.ts";
import { addVote, votesPage } from "./view/votes.ts";

export type { Searching } from "./view/search.ts";
export type { OpenedFile } from "./view/files.ts";
export { type Redaction, type Redactor, redactor } from "./view/redact.ts";

/** What `openResults` can be told. */
export const RESULTS_OPTIONS = {
  folder: option(
    null,
    text,
    "a results folder, an iteration, or a workspace of another tool (default: the project's results)",
  ),
  ...PLACE,
};
export type ResultsOptions = Given<typeof RESULTS_OPTIONS>;

/** What a viewer over HTTP can be told besides. */
export const VIEW_OPTIONS = {
  ...RESULTS_OPTIONS,
  port: option("--port <n>", wholeNumber(1), "listen here (default: a free port)"),
  host: option(
    "--host <address>",
    text,
    "listen on this address of the machine, for other machines to look (default: 127.0.0.1)",
  ),
};
export type ViewerOptions = Given<typeof VIEW_OPTIONS>;

/** Where a viewer is to listen. */
export function viewerPlace(
  options: ViewerOptions,
  door: Door,
): { readonly port: number; readonly host: string } {
  const { port, host } = settle(VIEW_OPTIONS, options, sourcesOf(openDoor(door)));
  return { port: port ?? 0, host: host ?? "127.0.0.1" };
}

/** What a report can be told. */
export const REPORT_OPTIONS = {
  ...RESULTS_OPTIONS,
  out: option("--out <path>", text, "the file to write, x.html, or a folder for index.html"),
};
export type ReportOptions = Given<typeof REPORT_OPTIONS>;

/** What was said of where a report is to lie. */
export function reportPlace(options: ReportOptions, door: Door): string {
  return required(settle(REPORT_OPTIONS, options, sourcesOf(openDoor(door))), ["out"]).out;
}

/** Atomically, with the folders on the way. */
export async function writeReportFile(path: string, content: string, machine: Machine): Promise<void> {
  await writing(path, machine, async () => {
    await makeFolder(dirname(path));
    await writeFileAtomic(path, content);
  });
}

/** The web app as it was built: what runs in the browser, and how it looks. */
export async function viewerApp(): Promise<{ readonly script: string; readonly style: string }> {
  const [script, style] = await Promise.all(
    ["app.js", "app.css"].map((name) => readFile(installed("dist", "viewer", name), "utf8")),
  );
  return { script: script ?? "", style: style ?? "" };
}

/**
 * Results as pages: what the viewer shows, for whoever shows it. Everything is read when it is asked for, so a page is as new
 * as the files. What does not exist is a UserError with the code `view/not-found`.
 */
export interface Results {
  /** The iteration that was named; null: none was. */
  readonly start: IterationAddress | null;
  readonly overview: () => Promise<OverviewPage>;
  /** `against`: the number of another iteration; null: the last before it with the same agent and model. */
  readonly iteration: (at: IterationAddress, against?: number | null) => Promise<IterationPage>;
  readonly triggers: (at: IterationAddress) => Promise<TriggersPage>;
  readonly improve: (skill: string) => Promise<ImprovePage>;
  readonly run: (at: RunAddress) => Promise<RunPage>;
  readonly timelineIndex: (at: RunAddress) => Promise<TimelineIndex>;
  readonly timeline: (at: RunAddress, page: number) => Promise<TimelinePage>;
  /** Whole, however long. */
  readonly event: (at: RunAddress, index: number) => Promise<TranscriptEvent>;
  readonly fileText: (at: RunAddress, file: RunFileName) => Promise<FileTextPage>;
  readonly fileDiff: (at: RunAddress, path: string) => Promise<FileDiffPage>;
  /** Whoever opens it closes it. */
  readonly file: (at: RunAddress, file: RunFileName) => Promise<OpenedFile>;
  /** The client's own stream. */
  readonly raw: (at: RunAddress) => Promise<OpenedFile>;
  /** Works for a short while; `next` of the answer goes on. */
  readonly search: (at: IterationAddress, searching: Searching) => Promise<SearchPage>;
  readonly compare: (a: RunAddress, b: RunAddress) => Promise<ComparePage>;
  /** Whenever it changes, until nobody is at work on it or the signal fires. */
  readonly live: (at: IterationAddress, signal: AbortSignal) => AsyncIterable<LiveState>;
  readonly feedback: (at: IterationAddress) => Promise<FeedbackPage>;
  /** Takes a `FeedbackEdit`. Resolves when the change outlasts a crash; the answer is all feedback as it is then. */
  readonly editFeedback: (at: IterationAddress, edit: unknown) => Promise<FeedbackPage>;
  readonly votes: (at: IterationAddress) => Promise<VotesPage>;
  /** Takes a `PairVote`; as above. */
  readonly vote: (at: IterationAddress, vote: unknown) => Promise<VotesPage>;
  readonly triggerSets: (at: IterationAddress) => Promise<TriggerSetsPage>;
  /** Takes a `TriggerSetEdit`, and writes the file in its own format. */
  readonly editTriggerSet: (at: IterationAddress, edit: unknown) => Promise<TriggerSetsPage>;
  readonly skill: (at: IterationAddress) => Promise<SkillPage>;
  /** Takes `{do: Steering}`; the answer is how the call then stands. Throws where none is at work on it. */
  readonly steer: (at: IterationAddress, told: unknown) => Promise<LiveCall>;
}

export interface RunFileName {
  readonly area: FileArea;
  readonly path: string;
}

/** Finds the results that are meant; those of other tools are read into ours. Throws a UserError where there are none. */
export async function openResults(options: ResultsOptions, door: Door): Promise<Results> {
  const open = openDoor(door);
  const { folder, workspace } = settle(RESULTS_OPTIONS, options, sourcesOf(open));
  const { root, start } = await findResults(folder, workspace, open.machine);
  const stored = storedResults(root);
  const cache = join(projectFolder(root).cache, "view");
  const sets = { machine: open.machine, project: dirname(root) };
  return {
    start,
    overview: () => overviewPage(stored, shownPath(root, open.machine.cwd)),
    iteration: async (at, against = null) => iterationPage(stored, await stored.iteration(at), against),
    triggers: async (at) => triggersPage(await stored.iteration(at)),
    improve: async (skill) => improvePage(skill, await stored.suite(skill)),
    run: async (at) => runPage(await stored.run(at), stored),
    timelineIndex: async (at) => timelineIndex(await stored.run(at), cache),
    timeline: async (at, page) => timelinePage(await stored.run(at), page, cache),
    event: async (at, index) => wholeEvent(await stored.run(at), index, cache),
    fileText: async (at, file) => fileTextPage(await stored.run(at), file),
    fileDiff: async (at, path) => fileDiffPage(await stored.run(at), path),
    file: async (at, file) => openRunFile(await stored.run(at), file),
    raw: async (at) => {
      const { files } = await stored.run(at);
      return openWithin(files.root, files.rawStream);
    },
    search: async (at, searching) => searchPage(await stored.iteration(at), searching),
    compare: async (a, b) => comparePage(await stored.run(a), await stored.run(b)),
    async *live(at, signal) {
      yield* liveStates(at, await stored.folder(at), { signal, results: root });
    },
    feedback: async (at) => feedbackPage(stored, await stored.iteration(at)),
    editFeedback: async (at, edit) =>
      changeFeedback(stored, await stored.iteration(at), { edit: readEdit(edit), now: open.machine.now() }),
    votes: async (at) => votesPage(await stored.iteration(at)),
    vote: async (at, given) => addVote(await stored.iteration(at), given, open.machine.now()),
    triggerSets: async (at) => triggerSetsPage(await stored.iteration(at), sets),
    editTriggerSet: async (at, edit) => changeTriggerSet(await stored.iteration(at), edit, sets),
    skill: async (at) => skillPage(await stored.iteration(at), await stored.suite(at.skill)),
    steer: async (at, told) => steerCall(await stored.folder(at), told, root),
  };
}
