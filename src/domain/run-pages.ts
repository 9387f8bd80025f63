import type { Check } from "./check.ts";
import type { Grading } from "./grading.ts";
import type { IterationAddress } from "./pages.ts";
import type { FileChange, Run } from "./run.ts";
import type { Bound } from "./summary.ts";
import type { TranscriptEvent } from "./transcript.ts";
import type { Trial } from "./trial.ts";

/** Names a run to the viewer. */
export interface RunAddress extends IterationAddress {
  /** The trial's id. */
  readonly trial: string;
}

/** One run: what was asked, done and found. */
export interface RunPage {
  readonly at: RunAddress;
  readonly trial: Trial;
  readonly caseName: string | null;
  readonly run: Run;
  /** Attempts that were made in all. */
  readonly attempts: number;
  /** Null: it was not graded. */
  readonly grading: Grading | null;
  readonly checks: readonly Check[];
  readonly bounds: readonly Bound[];
  readonly prompt: string | null;
  /** What success looks like, in the eval file's words. */
  readonly expected: string | null;
  /** The text that text checks read, cut where it is very long. */
  readonly answer: CutText | null;
  readonly files: readonly RunFile[];
  /** The same case and variant: for going to the next repetition. */
  readonly siblings: readonly string[];
  readonly skill: SkillUse;
  /** A command that runs this case again. */
  readonly rerun: string;
  /** The failure as a prompt for a coding agent. */
  readonly asPrompt: string;
  /** As feedback.json calls the run. */
  readonly feedbackId: string;
  /** The same run of the last iteration before that kept it; null: there is none. */
  readonly before: RunAddress | null;
}

export interface CutText {
  readonly text: string;
  /** Characters that follow and are not here. */
  readonly cut: number;
}

/** What became of the skill in one run. */
export interface SkillUse {
  /** Null: that cannot be seen. */
  readonly offered: boolean | null;
  readonly activations: Run["activations"];
  /** Files of the skill that tools named, with the events that name them; none where the transcript is very large. */
  readonly files: readonly { readonly path: string; readonly events: readonly number[] }[];
}

/** `outputs`: made or changed by the run. `inputs`: staged, as it is after the run. `before`: what was changed, as it was. */
export type FileArea = "outputs" | "inputs" | "before";

export interface RunFile {
  readonly area: FileArea;
  readonly path: string;
  readonly bytes: number;
  readonly shows: FileKind;
  /** Null: the run did not touch it. */
  readonly change: FileChange["change"] | null;
  /** False: a cap kept its content out of the results. */
  readonly kept: boolean;
}

/** How a file can be shown. `document`: its text can be taken out. `other`: only downloaded. */
export type FileKind =
  | "text"
  | "markdown"
  | "code"
  | "json"
  | "table"
  | "html"
  | "image"
  | "pdf"
  | "document"
  | "other";

/** The text of a file; of a document, what can be read out of it. */
export interface FileTextPage {
  readonly area: FileArea;
  readonly path: string;
  /** Null: it has none that can be read; `problem` says why. */
  readonly text: string | null;
  readonly problem: string | null;
}

/** What the run did to one file, whole. */
export interface FileDiffPage {
  readonly path: string;
  readonly patch: string;
  readonly problem: string | null;
}

/** What a transcript holds, without its texts: enough to lay it out, filter it and know where to look. */
export interface TimelineIndex {
  readonly at: RunAddress;
  readonly events: number;
  readonly bytes: number;
  /**
   * One letter for each event: `u`ser and `a`ssistant message, `t`hinking, tool `c`all, its `r`esult, `x` a failed or denied
   * one, `s`kill activated, `e`rror, `g` usage, `?` cannot be read.
   */
  readonly kinds: string;
  /** Events per page of the timeline. */
  readonly pageSize: number;
  /** Tokens that each model response took, in order, with its event; evenly thinned out where there are many. */
  readonly tokens: readonly (readonly [event: number, tokens: number])[];
  readonly problems: readonly string[];
}

/** Events `page * pageSize` and on. */
export interface TimelinePage {
  readonly page: number;
  readonly events: readonly TimelineEvent[];
}

export interface TimelineEvent {
  /** Long texts are cut; null: the line cannot be read. */
  readonly event: TranscriptEvent | null;
  /** Characters that were cut off; `event` answers with all of them. */
  readonly cut: number;
  /** Checks whose evidence is in this event, by id. */
  readonly cited: readonly string[];
}

/** Where a text occurs in the transcripts of an iteration, or of one run. */
export interface SearchPage {
  readonly query: string;
  /** In the order of the cases. */
  readonly hits: readonly SearchHit[];
  /** Of all hits so far; exact once `done`. */
  readonly count: number;
  readonly runs: number;
  readonly done: boolean;
  /** Ask again with this to go on; null: that was all. */
  readonly next: string | null;
}

export interface SearchHit {
  readonly trial: string;
  readonly event: number;
  readonly kind: TranscriptEvent["kind"];
  /** The text around it, and where in that it begins. */
  readonly excerpt: string;
  readonly start: number;
  readonly length: number;
}

/** Two runs, step by step. */
export interface ComparePage {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** Null: the two did the same. */
  readonly divergence: Divergence | null;
  readonly spans: readonly AlignedSpan[];
  /** Ids, times and paths of chance that differ and were taken as equal. */
  readonly suppressed: number;
  /** Steps that are equal. */
  readonly equal: number;
}

export interface ComparedRun {
  readonly at: RunAddress;
  readonly status: Run["outcome"]["status"];
  /** By check id: `p`, `f` or `u`. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly steps: number;
}

/** The first step at which the two differ; null: that run had ended. */
export interface Divergence {
  readonly a: number | null;
  readonly b: number | null;
  readonly words: string;
}

/** Events from `a[0]` up to, without, `a[1]`, beside those of `b`. */
export interface AlignedSpan {
  readonly kind: "equal" | "changed" | "only-a" | "only-b";
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

/** What people said about an iteration's runs. */
export interface FeedbackPage {
  readonly at: IterationAddress;
  readonly status: "in_progress" | "complete";
  readonly reviews: readonly RunReview[];
  /** Of the iteration before, by the same ids. */
  readonly previous: readonly RunReview[];
}

export interface RunReview {
  /** The run's folder with hyphens for slashes. */
  readonly runId: string;
  readonly feedback: string;
  /** ISO 8601; null: not known. */
  readonly timestamp: string | null;
  readonly checks: readonly CheckReview[];
}

/** A person agrees with a verdict or does not: a label to calibrate the judge with. */
export interface CheckReview {
  readonly checkId: string;
  readonly agrees: boolean;
  /** What the verdict was that they looked at. */
  readonly verdict: "passed" | "failed" | "unscored";
  readonly comment: string;
}

/** One change to the feedback; the answer is the whole of it as it is then. */
export type FeedbackEdit =
  /** `was`: what the person saw before they began. Where that is no longer what is there, both texts are kept. */
  | { readonly kind: "text"; readonly runId: string; readonly text: string; readonly was: string }
  /** `agrees` null takes it back. */
  | {
      readonly kind: "check";
      readonly runId: string;
      readonly checkId: string;
      readonly agrees: boolean | null;
      readonly verdict: CheckReview["verdict"];
      readonly comment: string;
    }
  | { readonly kind: "status"; readonly status: "in_progress" | "complete" };
