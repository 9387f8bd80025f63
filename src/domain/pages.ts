import type { BenchDecision, BenchmarkVerdict, Bounds, CaseComparison } from "./benchmark.ts";
import type { Layer } from "./check.ts";
import type { RunStatus } from "./control.ts";
import type { ChecksTogether, Flip } from "./flip.ts";
import type { Iteration, Purpose } from "./iteration.ts";
import type { Outcome, Usage } from "./run.ts";
import type { Rate, Summary, SummaryVerdict } from "./summary.ts";
import type { Variant } from "./trial.ts";
import type { TriggerAgreement, TriggerSummary } from "./triggers.ts";

/** Names an iteration to the viewer. */
export interface IterationAddress {
  /** The folder below the results: a skill's, or `imports/NAME` for what another tool left. */
  readonly skill: string;
  readonly n: number;
}

/** What a page is about could not be read whole: shown in place of it, or beside what could. */
export type Problems = readonly string[];

/** All skills that have results. */
export interface OverviewPage {
  /** The results folder as a person here would write it. */
  readonly results: string;
  readonly skills: readonly OverviewSkill[];
  readonly problems: Problems;
}

export interface OverviewSkill {
  readonly skill: string;
  /** As the skill calls itself. */
  readonly name: string;
  /** Newest first; those that do not speak for the skill too. */
  readonly iterations: readonly IterationLine[];
  /** The iteration that speaks for the skill now, by its number; null: none does. */
  readonly latest: number | null;
  /** There is a history.json to show. */
  readonly improved: boolean;
}

/** One iteration in a list. Null is unknown, or not measured. */
export interface IterationLine {
  readonly n: number;
  readonly purpose: Purpose;
  /** Only some cases were asked for, so it does not speak for the skill. */
  readonly partial: boolean;
  /** ISO 8601. */
  readonly at: string;
  /** Joins the iterations of one call. */
  readonly group: string | null;
  readonly harness: string;
  readonly model: string | null;
  readonly progress: IterationProgress;
  /** Null: it is not summed up yet. */
  readonly verdict: SummaryVerdict | null;
  /** A sentence a person can paste; null as above. */
  readonly headline: string | null;
  /** Of the arm under test. */
  readonly passRate: PassRate | null;
  readonly lift: IterationLift | null;
  readonly runs: number;
  readonly costUsd: number | null;
  /** Counted runs of the arm under test that took the skill up. */
  readonly loaded: { readonly loaded: number; readonly runs: number } | null;
  /** Queries that came out as they should, where any were asked. */
  readonly triggers: Rate | null;
  /** Since the iteration before it in this list: after a change of the evals the numbers answer other questions. */
  readonly changed: readonly ("skill" | "evals")[];
}

/** `broken-off`: its runner is gone and said no goodbye. */
export type IterationProgress = "running" | "complete" | "interrupted" | "broken-off";

export interface PassRate {
  readonly passed: number;
  readonly total: number;
  readonly interval: Bounds | null;
}

export interface IterationLift {
  readonly verdict: BenchmarkVerdict;
  readonly lift: number | null;
  readonly interval: Bounds | null;
  readonly action: BenchDecision["action"] | null;
}

/** One iteration: the grid, the numbers, and what they say. */
export interface IterationPage {
  readonly at: IterationAddress;
  readonly iteration: Iteration;
  readonly progress: IterationProgress;
  /** Null: nothing has ended yet. */
  readonly summary: Omit<Summary, "cases"> | null;
  readonly words: IterationWords;
  /** In the order of the suite. */
  readonly cases: readonly GridCase[];
  /** Runs that are not in the numbers. */
  readonly leftOut: readonly RunLeftOut[];
  readonly notes: readonly string[];
  /** Earlier and later ones of the same skill that it can be compared with, newest first. */
  readonly others: readonly IterationLine[];
  /** The one that was asked for, else the last before it with the same agent and model; null: there is none. */
  readonly compared: ComparedIteration | null;
  readonly problems: Problems;
}

export interface IterationWords {
  /** The verdict in one sentence. */
  readonly headline: string;
  /** On these cases; null: no arms were compared. */
  readonly theseCases: string | null;
  /** On other cases like these. */
  readonly otherCases: string | null;
  /** What to do now. */
  readonly decision: string | null;
}

export interface GridCase {
  readonly caseId: string;
  readonly name: string | null;
  readonly kind: "task" | "trigger";
  /** What is sent first, cut to a line. */
  readonly prompt: string;
  readonly checks: readonly GridCheck[];
  readonly arms: readonly GridArm[];
  /** Null: no arms were compared on it. */
  readonly comparison: CaseComparison | null;
  /** Of the difference between the arms; null where it has none. */
  readonly interval: Bounds | null;
}

export interface GridCheck {
  readonly id: string;
  readonly text: string;
  readonly layer: Layer;
  /** Said by a judge or found by code: why the check tells little. */
  readonly weak: readonly string[];
}

export interface GridArm {
  readonly variant: Variant;
  readonly checks: Rate;
  readonly stability: number | null;
  readonly runs: readonly GridRun[];
}

/** Small, because there may be ten thousand. */
export interface GridRun {
  readonly trial: string;
  readonly repetition: number;
  readonly status: Outcome["status"] | "not-run" | "running";
  /** One letter for each of the case's checks, in order: `p`assed, `f`ailed, `u`nscored, `-` not held to it, or not graded. */
  readonly verdicts: string;
  readonly seconds: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Whether it took the skill up; null: that cannot be seen. */
  readonly loaded: boolean | null;
  /** Taken over from an earlier iteration. */
  readonly reused: boolean;
}

export interface RunLeftOut {
  readonly trial: string;
  readonly status: Outcome["status"] | "not-run";
  readonly reason: string;
}

export interface ComparedIteration {
  readonly n: number;
  readonly together: ChecksTogether | null;
  /** Regressed first, then fixed, moved and the rest; `same` ones are left out. */
  readonly flips: readonly Flip[];
  /** Why the two may answer different questions; empty: they do not. */
  readonly caveats: readonly string[];
}

/** Trigger queries of one iteration. */
export interface TriggersPage {
  readonly at: IterationAddress;
  /** Null: no query was asked. */
  readonly triggers: TriggerSummary | null;
  readonly agreement: TriggerAgreement | null;
  /** By case id: the trials of each query, in order. */
  readonly runs: Readonly<Record<string, readonly TriggerRun[]>>;
}

export interface TriggerRun {
  readonly trial: string;
  readonly status: Outcome["status"];
  /** Skills that fired: the one under test first, then others in order. */
  readonly fired: readonly string[];
}

/** How the versions of a skill came about. */
export interface ImprovePage {
  readonly skill: string;
  readonly startedAt: string;
  /** The version that is installed, by what was adopted. */
  readonly adopted: string;
  readonly versions: readonly ImprovedVersion[];
  readonly problems: Problems;
}

export interface ImprovedVersion {
  readonly version: string;
  readonly parent: string | null;
  readonly result: "baseline" | "won" | "lost" | "tie";
  /** What the draft says it changes. */
  readonly summary: string | null;
  /** Against its parent, as a patch; null: the texts were not kept. */
  readonly diff: string | null;
  /** The iteration in which it was explored; its number guides and is no finding. */
  readonly iteration: number | null;
  /** Null: it was never confirmed with fresh runs. */
  readonly fresh: VersionFinding | null;
}

export interface VersionFinding {
  readonly against: string;
  readonly adopted: boolean;
  /** Null: it was begun and is not over. */
  readonly verdict: BenchmarkVerdict | null;
  readonly rates: { readonly version: number; readonly against: number } | null;
  readonly lift: number | null;
  readonly interval: Bounds | null;
  readonly explanation: string | null;
  readonly iteration: number | null;
}

/** Told over and over while an iteration runs, each time whole. */
export interface LiveState {
  readonly at: IterationAddress;
  readonly progress: IterationProgress;
  readonly planned: number;
  readonly finished: number;
  readonly graded: number;
  readonly leftOut: number;
  /** Trials at work, with when they began. */
  readonly running: readonly { readonly trial: string; readonly startedAt: string }[];
  /** The last ones to end, newest first. */
  readonly ended: readonly {
    readonly trial: string;
    readonly status: Outcome["status"];
    readonly verdicts: string;
  }[];
  /** Of the agents, as far as it is known. */
  readonly usage: Usage;
  readonly notes: readonly string[];
  /** How its call stands; null: no call that answers is at work on it. */
  readonly call: LiveCall | null;
}

/** The call that an iteration is part of. */
export type LiveCall = Pick<RunStatus, "state" | "concurrency" | "spending" | "services">;

/** What a page may tell a call that is at work. `stop` lets what has begun come to its end. */
export type Steering = "pause" | "resume" | "stop";

/** Which of two answers to one prompt a person preferred without knowing whose they were. */
export interface PairVote {
  /** Trial of the arm under test. */
  readonly tested: string;
  /** Trial of the arm that it is held against. */
  readonly other: string;
  /** One of the two; null: neither. */
  readonly winner: string | null;
}

export interface VotesPage {
  readonly at: IterationAddress;
  /** One for each pair, in the order they were given. */
  readonly votes: readonly PairVote[];
}

/** The eval files of an iteration that hold trigger queries, as they are now. */
export interface TriggerSetsPage {
  readonly at: IterationAddress;
  readonly sets: readonly TriggerSet[];
}

export interface TriggerSet {
  /** As a person here would write it. */
  readonly file: string;
  readonly format: string;
  /** Digest of the file: a change says which content it is a change of. */
  readonly digest: string;
  readonly queries: readonly SetQuery[];
  /** Why it cannot be changed here; null: it can. */
  readonly problem: string | null;
}

export interface SetQuery {
  /** Of the case; null: it is new. */
  readonly id: string | null;
  readonly query: string;
  readonly shouldTrigger: boolean;
}

/** All queries that a file is to hold. */
export type TriggerSetEdit = Pick<TriggerSet, "file" | "digest" | "queries">;

/** What became of the skill over all runs that had it. */
export interface SkillPage {
  readonly at: IterationAddress;
  /** Runs of the arm under test that were looked through. */
  readonly runs: number;
  /** Of these: were told of the skill; null: that cannot be seen of any. */
  readonly listed: number | null;
  readonly loaded: number;
  /** Runs that were not looked through, because their transcripts are very large. */
  readonly skipped: number;
  /** Its other files, and in how many of the runs tool calls name them. */
  readonly files: readonly { readonly path: string; readonly runs: number }[];
  /** SKILL.md as it was run; none where it was not kept. */
  readonly lines: readonly SkillLine[];
}

export interface SkillLine {
  readonly text: string;
  /** Runs in which words of the line came back in what the agent did or said; null: it has none that could. */
  readonly runs: number | null;
  /** Which words these were. */
  readonly words: readonly string[];
}
