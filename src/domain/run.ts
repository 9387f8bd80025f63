import type { Json } from "./json.ts";
import type { Excess } from "./limits.ts";
import type { TrialNetwork } from "./network.ts";

/** What the agent did in one trial. Its transcript and files lie beside it in the iteration folder. */
export interface Run {
  readonly trialId: string;
  readonly outcome: Outcome;
  readonly validity: Validity;
  /** ISO 8601: when the trial was begun, with its staging. */
  readonly startedAt: string;
  /** When the agent got its slot and when it ended; null: it never began, or it is not known. */
  readonly agentTime: { readonly startedAt: string; readonly endedAt: string } | null;
  /** The agent's time, without staging and grading; null: whoever ran it does not say. */
  readonly durationMs: number | null;
  readonly client: { readonly name: string; readonly version: string | null };
  /** The model that answered, where the client says so. */
  readonly model: string | null;
  readonly sessionId: string | null;
  /** The client's own record of the session, by which it can be resumed: a name in the run's `session` folder. Null: none was kept. */
  readonly sessionFile: string | null;
  /** Model responses. */
  readonly steps: number;
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly toolErrors: number;
  readonly denials: readonly Denial[];
  /** Names the client offered to the model; null where that cannot be seen. */
  readonly skillsOffered: readonly string[] | null;
  readonly activations: readonly Activation[];
  /** What the agent was told, to the letter; null: nothing, or it is not known. */
  readonly sent: Sent | null;
  readonly changes: readonly FileChange[];
  /** Files of the skill under test that the run changed, as paths of the workspace. */
  readonly skillEdits: readonly string[];
  /** What it reached for that is not its own, as far as that was seen. */
  readonly trespasses: readonly Trespass[];
  /** The text that text checks read; null: not known. */
  readonly output: RunOutput | null;
  /** What whoever ran it did not keep, so that no check of it can be decided; absent: everything was kept. */
  readonly unkept?: readonly Unkept[];
  /** What the commands of its `shell` checks came to; absent: it was asked for none, or they were not run. */
  readonly commands?: readonly CommandEnd[];
  /** Why the teardown script did not do its work; null: it did, or there is none. */
  readonly teardownProblem: string | null;
  /** The earlier iteration that the run was taken over from, in words; null: it was made here. */
  readonly reusedFrom: string | null;
  /** For people. Why something is missing or was cut: caps reached, leaks, heuristics suppressed. */
  readonly notes: readonly string[];
  /** Evidence that was not kept whole; absent: all of it was. */
  readonly cut?: readonly CutEvidence[];
  readonly conditions: Conditions;
  /** Null: the model was really asked. */
  readonly replay: Replay | null;
}

/** How the command of a check ended, in the workspace the agent left. */
export interface CommandEnd {
  readonly command: string;
  readonly end:
    | { readonly status: "exited"; readonly code: number }
    | { readonly status: "timed-out"; readonly afterSeconds: number }
    /** It says nothing about the run. */
    | { readonly status: "broken"; readonly reason: string };
  /** The end of what it printed. */
  readonly output: string;
}

/** `transcript`: what the agent did, and which skills it took up. */
export type Unkept = "files" | "transcript";

/** What is missing of the evidence: nothing may be concluded from its absence. */
export interface CutEvidence {
  /** `stream`: what the client said, so all that is known from it. */
  readonly of: "answer" | "transcript" | "files" | "stream";
  /** Only what lies in this folder of the workspace is missing; absent: it may be anything. */
  readonly below?: string;
  readonly reason: string;
}

/** What went to the agent. */
export interface Sent {
  /** User messages, in the client's own spelling. */
  readonly messages: readonly string[];
  /** Where the text beside the invocation comes from; null: the client has no place for one, or nothing was invoked. */
  readonly systemPrompt: SystemPromptSource | null;
}

/** `explicit`: the eval file's `system_prompt`. */
export type SystemPromptSource = "explicit" | "agents-md" | "skill-md";

/** Whether there is an output; its text lies in the run's folder. */
type RunOutput =
  | { readonly status: "present" }
  /** A declared output file that was not written, or cannot be read. */
  | { readonly status: "missing"; readonly reason: string }
  /** Whoever ran it kept none: nothing can be said about it. */
  | { readonly status: "unknown"; readonly reason: string };

/** How the requests of a replayed run fitted the recorded ones, by the worst of them. */
export interface Replay {
  /**
   * `alias`: equal but for names of chance, dates and times. `drift`: a tool's result differs, and the recorded answer was
   * given all the same. `miss`: the recording says nothing about this run, which is no verdict.
   */
  readonly match: "exact" | "alias" | "drift" | "miss";
  /** Tool results that drifted. */
  readonly drifts: number;
  /** The first difference that matters, in words; null: there is none. */
  readonly difference: string | null;
  /** ISO 8601; null: there is no recording. */
  readonly recordedAt: string | null;
  /** The client's version then. */
  readonly recordedVersion: string | null;
}

/** How the run ended. `countsAs` says what each status means for the verdicts. */
export type Outcome =
  | { readonly status: "completed" }
  | { readonly status: "timed-out"; readonly afterMs: number }
  | {
      readonly status: "interactive";
      readonly cause: "question" | "background-task";
      readonly message: string;
    }
  | { readonly status: "max-turns"; readonly message: string }
  | { readonly status: "crashed"; readonly message: string }
  | LeftOut;

/** Made by `leftOut`, where it is known what happened. */
export interface LeftOut<S extends LeftOutStatus = LeftOutStatus> {
  readonly status: S;
  readonly message: string;
  /** Trying again may help. */
  readonly mayPass: boolean;
  /** The limit of the machine that it passed; absent: none, or it is not known. */
  readonly excess?: Excess;
}

export type LeftOutStatus =
  | "auth"
  | "rate-limit"
  | "api"
  | "network"
  | "budget"
  | "setup-skipped"
  /** It used more of the machine than one trial may. */
  | "over-limit"
  /** The machine's disk was full while it worked. */
  | "disk-full"
  | "invalid"
  | "interrupted";

/** Ends that are the subject's own doing: every check counts as failed. */
export type BrokenOffStatus = "timed-out" | "interactive" | "max-turns" | "crashed";

/** Graded by its checks; every check failed with the outcome as evidence; or no evidence at all. */
export function countsAs(outcome: Outcome): "graded" | "failed" | "left-out" {
  switch (outcome.status) {
    case "completed":
      return "graded";
    case "timed-out":
    case "interactive":
    case "max-turns":
    case "crashed":
      return "failed";
    default:
      return "left-out";
  }
}

/** Was the skill really offered, or really absent? An invalid run's outcome is `invalid`. */
export type Validity =
  | { readonly status: "verified" }
  | { readonly status: "unverified"; readonly reason: string }
  | { readonly status: "invalid"; readonly reason: string };

/** Tokens and money of one run; null is unknown, never zero. */
export interface Usage {
  /** Without what was read from or written to a prompt cache. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costUsd: number | null;
}

export const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  costUsd: null,
};

/** Known, not unknown: no model was asked. */
export const NOTHING_USED: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
};

/** All tokens that passed: input and cache, counted apart, and output, which includes reasoning. Null when unknown. */
export function totalTokens(usage: Usage): number | null {
  if (usage.inputTokens === null || usage.outputTokens === null) return null;
  return (
    usage.inputTokens + usage.outputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)
  );
}

/** The agent's time; null when unknown. */
export function secondsOf({ durationMs }: Pick<Run, "durationMs">): number | null {
  return durationMs === null ? null : durationMs / 1000;
}

export interface Denial {
  readonly tool: string;
  readonly input: Json;
}

/** A skill was taken up by the agent. */
export interface Activation {
  readonly skill: string;
  readonly by: "tool" | "read" | "invocation" | "client";
  /** Index of the transcript event that shows it. */
  readonly event: number;
}

/** Something out of a run's bounds: "tried to `what`: `became`". */
export interface Trespass {
  /** A place of secrets was named, something was refused, something that would act later was left, or something still ran. */
  readonly kind: "secret" | "refused" | "left-behind" | "left-running";
  readonly what: string;
  readonly became: string;
}

export interface FileChange {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly change: "created" | "modified" | "deleted";
  readonly bytes: number;
  readonly sha256: string | null;
  /** False when a cap kept the content out of the iteration folder. */
  readonly captured: boolean;
}

/** What a Run says of itself where nothing happened, or nothing is known. */
export const NOTHING_DONE = {
  agentTime: null,
  durationMs: 0,
  model: null,
  sessionId: null,
  sessionFile: null,
  steps: 0,
  usage: UNKNOWN_USAGE,
  toolCalls: {},
  toolErrors: 0,
  denials: [],
  skillsOffered: null,
  activations: [],
  sent: null,
  changes: [],
  skillEdits: [],
  trespasses: [],
  output: null,
  teardownProblem: null,
  reusedFrom: null,
  notes: [],
  replay: null,
} as const satisfies Partial<Run>;

/** Where and under what load the trial ran. */
interface Conditions {
  readonly sandbox: string;
  /** What its programs reached; absent in older results. */
  readonly network?: TrialNetwork;
  /** With `hosts`: which, with their ports. */
  readonly hosts?: readonly string[];
  readonly staging: string;
  readonly loadAverage: number;
  readonly freeMemoryBytes: number;
}
