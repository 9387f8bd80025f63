import type { Diagnostic } from "./diagnostic.ts";

/**
 * What a CI job does. `check` runs nothing, `replay` runs agents on recorded answers, `live` asks models. One report over all of
 * them decides.
 */
export const CI_LANES = ["check", "replay", "live"] as const;
export type CiLane = (typeof CI_LANES)[number];

/** What a change has to be to pass. */
export type CiRequirement = "not-worse" | "better";

/** What one job leaves behind, beside its results: lane.json. */
export interface LaneRecord {
  readonly schema: 1;
  readonly lane: CiLane;
  /** The commits that were compared; null: there is no base, or no repository. */
  readonly base: string | null;
  readonly head: string | null;
  /** Null: all cases. */
  readonly shard: { readonly index: number; readonly count: number } | null;
  /** Which column of a matrix it is: the agents and models that were named. */
  readonly column: string;
  /** The absolute folder that places in eval files are in; places are shown relative to it. */
  readonly root: string;
  readonly skills: readonly LaneSkill[];
  /** What `check` found. */
  readonly findings: readonly Diagnostic[];
  /** Why it came to no end; null: it did. */
  readonly problem: string | null;
  readonly allowMissing: number;
}

/** A skill that a change touches, and what is done about it. */
export interface LaneSkill {
  readonly name: string;
  /** Relative to the repository. */
  readonly path: string;
  readonly state: "compared" | "new" | "only evals changed" | "removed" | "without evals";
  /** Whose evals it is held to; null: it is held to none. */
  readonly evals: "base" | "head" | null;
  /** The change has other evals than the base: they count once they are merged. */
  readonly evalsChanged: boolean;
}

/** What all jobs come to: result.json. Everything that is shown of it is text of others and must be made inert. */
export interface CiResult {
  readonly schema: 1;
  /** `csv-report: better on 4 cases, +31 points; required: not worse`. */
  readonly title: string;
  readonly verdict: CiVerdict;
  readonly required: CiRequirement;
  readonly base: string | null;
  readonly head: string | null;
  readonly lanes: readonly LaneOutcome[];
  readonly skills: readonly SkillOutcome[];
  /** What else there is to know about skills, in sentences. */
  readonly notes: readonly string[];
  /** Of agents and judges together; null: not known. */
  readonly costUsd: number | null;
}

/** `unfinished`: something that should have been there is not, which is no pass. */
export type CiVerdict = "passed" | "failed" | "unfinished";

export interface LaneOutcome {
  readonly lane: CiLane;
  readonly status: CiVerdict | "skipped";
  readonly detail: string;
}

/** One skill on one agent and model. */
export interface SkillOutcome {
  readonly suite: string;
  readonly lane: CiLane;
  readonly harness: string;
  readonly model: string | null;
  readonly verdict: CiVerdict;
  /** `better on 4 cases, +31 points`. */
  readonly finding: string;
  /** What to do, and both answers with their intervals. */
  readonly decision: string;
  readonly answer: string;
  readonly cases: readonly CaseOutcome[];
  readonly flips: readonly FlipOutcome[];
  /** Flips that are not in the list. */
  readonly moreFlips: number;
  readonly costUsd: number | null;
}

export interface CaseOutcome {
  readonly name: string;
  /** Shares of checks passed; null: none was scored. */
  readonly before: number | null;
  readonly now: number | null;
  readonly runs: number;
}

/** A check that changed, with what shows it. */
export interface FlipOutcome {
  readonly caseId: string;
  readonly check: string;
  readonly change: "regressed" | "fixed" | "moved";
  /** `3 of 3`. */
  readonly before: string;
  readonly now: string;
  readonly evidence: string;
  /** Folder of the run that it comes from, relative to the results. */
  readonly run: string;
}
