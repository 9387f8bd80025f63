import type { Basis } from "./basis.ts";
import type { JsonObject } from "./json.ts";
import type { TrialLimits } from "./limits.ts";
import type { WantedNetwork } from "./network.ts";
import type { Skill } from "./skill.ts";
import type { Suite } from "./suite.ts";
import type { Trial, Variant } from "./trial.ts";

/** Everything that running one iteration needs, as data: a worker on another machine gets no more than this. */
export interface Plan {
  readonly suite: Suite;
  readonly harness: string;
  /** Null where no agent was looked for, because nothing will be run. */
  readonly client: { readonly name: string; readonly version: string | null } | null;
  /** Null: the client's own default. */
  readonly model: string | null;
  readonly variants: readonly Variant[];
  readonly trials: readonly Trial[];
  readonly seed: number;
  readonly estimate: Estimate;
  /** What each trial is likely to cost in USD, by id, from what such runs have cost; absent: not known of all. */
  readonly costs?: Readonly<Record<string, number>>;
  readonly determinants: Basis;
  /** Digest of each file that workspaces get from the project, by relative path. */
  readonly projectFiles: Readonly<Record<string, string>>;
  /** What of it is already decided by an earlier iteration; absent: nothing. */
  readonly repetition?: Repetition;
  /** Trials whose runs the iteration that it goes on with already has, by id; absent: it begins a new one. */
  readonly finished?: readonly string[];
  readonly ground: GroundPlan;
  readonly agent: AgentPlan;
}

/** What a plan does with the runs of an earlier iteration. */
export interface Repetition {
  /** Runs that are taken over instead of made, by trial id; each trial at most once. */
  readonly takeOver: readonly { readonly iteration: number; readonly trials: readonly string[] }[];
  /** Trials that are left as they are, by id. */
  readonly leave: readonly string[];
}

/** What the workspaces of an iteration are made from. */
export interface GroundPlan {
  readonly sandbox: string;
  readonly network: WantedNetwork;
  /** Hosts with their ports that agents reach beside their model. */
  readonly allowHosts: readonly string[];
  readonly limits: TrialLimits;
  /** Absolute; null: agents start in an empty workspace. */
  readonly projectRoot: string | null;
  /** Which of the project's files are staged although git ignores them, as in a .gitignore. */
  readonly include: readonly string[];
  /** Absolute paths that no agent may see, beside the evals: results, recordings. */
  readonly hidden: readonly string[];
  /** What `old_skill` installs; null where no trial does. */
  readonly older: Skill | null;
  /** Other versions of the skill, which no agent is to find in the project. */
  readonly versions: readonly Skill[];
  readonly probe: ProbePlan;
}

/** How trigger queries are asked. */
export interface ProbePlan {
  /** `stub` keeps what clients list of the skill and leaves its instructions and files out. */
  readonly body: "intact" | "stub";
  /** Skills staged beside the one under test. */
  readonly rivals: readonly Skill[];
  /** The project's other skills, which an agent is not to find by itself. */
  readonly others: readonly Skill[];
}

/** What the agent of every trial is told; null is the client's own default. */
export interface AgentPlan {
  readonly maxTurns: number | null;
  readonly permissionMode: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly agentArgs: readonly string[];
  readonly syncTasks: boolean | null;
  readonly timeoutSeconds: number | null;
  /** Where neither the caller nor the case says. */
  readonly fallbackTimeoutSeconds: number | null;
  readonly mcpServers: JsonObject | null;
}

/** Everything outside the suite that decides what a run does, as digests; a change of any of it runs the trial again. */
export interface Determinants {
  readonly client: string;
  readonly options: string;
  readonly project: string;
  /** Digest of the skill installed for each variant. */
  readonly skill: Readonly<Partial<Record<Variant, string>>>;
  /** Digest of each case's staged files, overlays and scripts. */
  readonly cases: Readonly<Record<string, string>>;
}

/** What running a plan may take; null where nothing is known to base it on. */
export interface Estimate {
  readonly runs: number;
  /** At most so many more, for trigger queries that stay unsettled; the figures below are without them. */
  readonly repeats: number;
  readonly minutes: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  /** Where the figures come from, in words. */
  readonly basis: string;
}
