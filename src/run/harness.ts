import type { JsonObject } from "../domain/json.ts";
import type { Prompt } from "../domain/suite.ts";
import type { Denial, Outcome, Sent, SystemPromptSource, Usage } from "../domain/run.ts";
import type { Skill } from "../domain/skill.ts";
import type { TranscriptBody } from "../domain/transcript.ts";
import type { Command, Supervised } from "./process/command.ts";
import type { Places } from "./sandbox.ts";
import type { KeptSession } from "./session.ts";

/** Drives one agent program. */
export interface Harness {
  readonly name: string;
  /** Where the client looks for skills, relative to the workspace, e.g. `.claude/skills`. */
  readonly skillsFolder: string;
  /** All its work is done by programs: up to the first of them, a trial can be made ready before there is a slot for it. */
  readonly onlyPrograms: boolean;
  /**
   * The answers and calls it emits are the model's own words, so that they can be held against what passed the gateway; with
   * `callIds`, so are the ids and names of calls. Absent: they may be anybody's.
   */
  readonly quotesModel?: { readonly callIds: boolean };
  /** All that its client needs of the network is the model service. Absent: who knows. */
  readonly needsOnlyModel?: boolean;
  /** Finds the client; throws a UserError that says how to install it. Called once, before anything runs. */
  find(): Promise<Client>;
  /** Sends the prompts of one trial. Rejects only for our own mistakes; whatever the agent does is in the answer. */
  run(request: HarnessRequest, context: HarnessContext): Promise<HarnessRun>;
  /**
   * The client's record of a session, somewhere below `home`, the trial's home on this machine; null: there is none.
   * Absent: the client keeps no sessions that `resume` could take up.
   */
  readonly sessionFile?: (home: string, id: string) => Promise<string | null>;
}

export interface Client {
  readonly name: string;
  readonly version: string | null;
  /** Paths a sandbox must let it read. */
  readonly readable: readonly string[];
  /** Digest of a program that is the user's own and has no version: runs of another one are no runs of this. */
  readonly digest?: string;
}

export interface HarnessRequest {
  readonly prompt: Prompt;
  /** The skill as staged; null in a variant without one. */
  readonly skill: StagedSkill | null;
  /** Other skills staged beside it; absent: none. */
  readonly rivals?: readonly Pick<Skill, "name" | "description">[];
  readonly options: HarnessOptions;
  /** Go on with this conversation, only to be asked about it: the agent may look, and change nothing. Absent: a new one. */
  readonly resume?: KeptSession;
}

export interface StagedSkill {
  readonly skill: Skill;
  /** The name the client knows it by; differs from `skill.name` in trigger probes. */
  readonly name: string;
  /** Absolute directory (or command file) as the agent sees it. */
  readonly path: string;
  readonly systemPrompt: SystemPrompt;
}

/** What clients with a system-prompt channel are given; an empty body stays an empty text. */
export interface SystemPrompt {
  readonly source: SystemPromptSource;
  readonly text: string;
}

/** What a person may set for every trial; null is the client's own default. */
export interface HarnessOptions {
  readonly model: string | null;
  readonly maxTurns: number | null;
  readonly permissionMode: string | null;
  /** Null: everything is allowed. */
  readonly allowedTools: readonly string[] | null;
  readonly extraArgs: readonly string[];
  readonly syncTasks: boolean;
  readonly allowHangHeuristic: boolean;
  /** End the agent as soon as this skill is taken up: all that a trigger probe wants to know. */
  readonly stopOnSkill: string | null;
}

export interface HarnessContext {
  readonly places: Places;
  /** The allowed environment, with HOME and the like set for this trial; a harness adds its client's own variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The MCP servers of this trial by name, in the clients' common shape; null: none. */
  readonly mcpServers: JsonObject | null;
  /** Where the model service is; null: the client's own default. */
  readonly endpoint: Endpoint | null;
  /**
   * Writes a file of the client's into the trial's home; answers its path as the agent sees it. Throws rather than follow a
   * link that setup or the agent put there.
   */
  readonly writeHome: (relative: string, content: string) => Promise<string>;
  /** Adds one event to the transcript and answers its index. */
  readonly emit: (body: TranscriptBody, head?: { turn?: number; agent?: string | null }) => number;
  /** Runs one program of the client inside the trial's sandbox until the trial's deadline; its output is kept raw. */
  readonly start: (command: Command, watch: LineWatcher) => Promise<Supervised>;
  /** What the agent may take over all turns, from the time that it has its slot. */
  readonly timeLimitMs: number;
  /** Fires when the runner is told to stop and, where not only programs work, with a TimeoutError at the trial's deadline. */
  readonly signal: AbortSignal;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly token: string;
}

/** Sees each line of standard output as it comes; returning "stop" ends the program and its tree. */
export type LineWatcher = (line: string) => "stop" | undefined;

/** What the client said about itself and its work; the transcript went to `emit`. */
export interface HarnessRun {
  readonly outcome: Outcome;
  readonly model: string | null;
  readonly sessionId: string | null;
  /** Model responses. */
  readonly steps: number;
  readonly usage: Usage;
  /** Tool calls the client refused, where it reports them apart from their results. */
  readonly denials: readonly Denial[];
  /** Null where the client does not say. */
  readonly skillsOffered: readonly string[] | null;
  readonly clientVersion: string | null;
  /** What was sent, where that is more than the user messages of the transcript. */
  readonly sent?: Sent;
  readonly notes: readonly string[];
}
