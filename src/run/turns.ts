import { leftOut } from "../domain/left-out.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import { addUsage } from "../domain/usage.ts";
import type { HarnessContext, LineWatcher } from "./harness.ts";
import type { Command, Supervised } from "./process/command.ts";

/** A client that is called once for each user message and takes its session up again by an id. */
export interface TurnClient<L extends TurnListener> {
  /** The user messages, spelled for this client. */
  readonly prompts: readonly string[];
  /** A new ear for each call; `earlier` heard the call before. */
  readonly listen: (turn: number, earlier: L | null) => L;
  readonly command: (prompt: string, call: TurnCall) => Command;
  /** The session that the first message goes on with; absent: a new one. */
  readonly resume?: string;
}

export interface TurnCall {
  /** Counts from 1. */
  readonly turn: number;
  /** The session to go on with; null: a new one. */
  readonly sessionId: string | null;
}

/** Hears what one call of the client says and puts it into the transcript. */
export interface TurnListener {
  readonly hear: LineWatcher;
  /** Null until the client has named its session. */
  readonly sessionId: string | null;
  /** Model responses. */
  readonly steps: number;
  /** Of this call alone. */
  readonly usage: Usage;
  outcome(supervised: Supervised): Outcome;
}

export interface PlayedTurns<L extends TurnListener> {
  /** One for each call that was made. */
  readonly heard: readonly L[];
  readonly outcome: Outcome;
  readonly sessionId: string | null;
  readonly steps: number;
  readonly usage: Usage;
  /** The caller had seen enough and ended the client. */
  readonly stopped: boolean;
  readonly notes: readonly string[];
}

/** Sends one message after the other until one of them does not end well. */
export async function playTurns<L extends TurnListener>(
  client: TurnClient<L>,
  context: HarnessContext,
): Promise<PlayedTurns<L>> {
  const heard: L[] = [];
  const notes: string[] = [];
  let outcome: Outcome = { status: "completed" };
  let sessionId: string | null = client.resume ?? null;
  let stopped = false;
  for (const [index, prompt] of client.prompts.entries()) {
    const turn = index + 1;
    if (prompt.trim() === "") {
      outcome = nothingToSay(turn);
      break;
    }
    context.emit({ kind: "message", role: "user", text: prompt }, { turn });
    const listener = client.listen(turn, heard.at(-1) ?? null);
    const supervised = await context.start(client.command(prompt, { turn, sessionId }), (line) =>
      listener.hear(line),
    );
    heard.push(listener);
    notes.push(...supervised.notes);
    sessionId = listener.sessionId ?? sessionId;
    outcome = listener.outcome(supervised);
    if (isKnown(listener.usage)) context.emit({ kind: "usage", usage: listener.usage }, { turn });
    stopped = supervised.ending.kind === "stopped";
    if (stopped || outcome.status !== "completed") break;
  }
  return {
    heard,
    outcome,
    sessionId,
    steps: heard.reduce((sum, { steps }) => sum + steps, 0),
    usage: heard.map(({ usage }) => usage).reduce(addUsage, UNKNOWN_USAGE),
    stopped,
    notes: [...notes, ...partlyUnknown(heard)],
  };
}

/** No client takes an empty message, and an agent that was asked nothing has shown nothing. */
export function nothingToSay(turn: number): Outcome {
  return leftOut("invalid", `there is nothing to send: the text of turn ${turn} is empty`);
}

function isKnown(usage: Usage): boolean {
  return Object.values(usage).some((value) => value !== null);
}

function partlyUnknown(heard: readonly TurnListener[]): readonly string[] {
  const silent = heard.filter(({ usage }) => !isKnown(usage)).length;
  return silent === 0 || silent === heard.length
    ? []
    : ["tokens and cost are a lower bound: the client ended before it reported the last turn"];
}
