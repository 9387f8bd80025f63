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
import type {
  ImprovePage,
  IterationAddress,
  IterationPage,
  OverviewPage,
  SkillPage,
  Steering,
  TriggerSetsPage,
  TriggersPage,
  VotesPage,
} from "../domain/pages.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";

/**
 * What the viewer's app asks, and what it gets. Each function answers with the request: `GET /api/` and this. The static form
 * holds the same answers by the same strings, so whoever builds them elsewhere, or in another order, finds nothing there.
 */
export const ask = {
  overview: () => request<OverviewPage>("overview", {}),
  /** `against`: another number to compare with; null: the last before it with the same agent and model. */
  iteration: (at: IterationAddress, against: number | null = null) =>
    request<IterationPage>("iteration", { ...iteration(at), against }),
  triggers: (at: IterationAddress) => request<TriggersPage>("triggers", iteration(at)),
  improve: (skill: string) => request<ImprovePage>("improve", { skill }),
  run: (at: RunAddress) => request<RunPage>("run", run(at)),
  timelineIndex: (at: RunAddress) => request<TimelineIndex>("timeline-index", run(at)),
  timeline: (at: RunAddress, page: number) => request<TimelinePage>("timeline", { ...run(at), page }),
  /** One event, whole. */
  event: (at: RunAddress, index: number) => request<TranscriptEvent>("event", { ...run(at), index }),
  fileText: (at: RunAddress, file: FileName) =>
    request<FileTextPage>("file-text", { ...run(at), ...named(file) }),
  fileDiff: (at: RunAddress, path: string) => request<FileDiffPage>("file-diff", { ...run(at), path }),
  /** Bytes, with ranges; not JSON. Images and PDFs can be shown from here, everything else is a download. */
  file: (at: RunAddress, file: FileName) => request<Bytes>("file", { ...run(at), ...named(file) }),
  /** Bytes of the client's own stream, as text. */
  raw: (at: RunAddress) => request<Bytes>("raw", run(at)),
  /** `trial` null: all transcripts of the iteration. `next`: from the page before. */
  search: (
    at: IterationAddress & { readonly trial: string | null },
    query: string,
    next: string | null = null,
  ) => request<SearchPage>("search", { ...iteration(at), trial: at.trial, q: query, next }),
  compare: (a: RunAddress, b: RunAddress) =>
    request<ComparePage>("compare", { a: runName(a), b: runName(b) }),
  /** `POST` of a `FeedbackEdit` to the same place answers with the page as it is then. */
  feedback: (at: IterationAddress) => request<FeedbackPage>("feedback", iteration(at)),
  /** `POST` of a `PairVote` to the same place answers with the page as it is then. */
  votes: (at: IterationAddress) => request<VotesPage>("votes", iteration(at)),
  /** `POST` of a `TriggerSetEdit` to the same place answers with the page as it is then. */
  triggerSets: (at: IterationAddress) => request<TriggerSetsPage>("trigger-sets", iteration(at)),
  /** The skill over all runs. */
  skill: (at: IterationAddress) => request<SkillPage>("skill", iteration(at)),
  /** `POST` of a `Steering`, as `{"do": …}`. */
  steer: (at: IterationAddress) => request<{ readonly do: Steering }>("steer", iteration(at)),
  /** Server-sent events, each a `LiveState`. Not in the static form. */
  live: (at: IterationAddress) => request<never>("live", iteration(at)),
} as const;

/** A request whose answer is a T. */
export type Request<T> = string & { readonly answer?: T };

/** What is not JSON; the static form has it as a `data:` address. */
export type Bytes = { readonly bytes: true };

export interface FileName {
  readonly area: FileArea;
  readonly path: string;
}

/** The JSON in the static form's `<script type="application/json" id="assay-data">`; a served page has none. */
export interface StaticData {
  readonly version: 1;
  /** By request. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What is not in it, in words, each with how often. */
  readonly omitted: Readonly<Record<string, number>>;
}

/** A refused request answers with this, and its status. */
export interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null };
}

/** `SKILL@N/TRIAL`, as `assay show` takes it. */
export function runName({ skill, n, trial }: RunAddress): string {
  return `${skill}@${n}/${trial}`;
}

function request<T>(path: string, fields: Readonly<Record<string, string | number | null>>): Request<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const query = given
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(String(value)))}`)
    .join("&");
  return query === "" ? path : `${path}?${query}`;
}

/** Half a character, as in a name that a hostile file gives, has no address. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

function iteration({ skill, n }: IterationAddress) {
  return { skill, n };
}

function run({ skill, n, trial }: RunAddress) {
  return { skill, n, trial };
}

function named({ area, path }: FileName) {
  return { area, path };
}
