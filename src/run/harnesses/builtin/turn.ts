import type { JsonObject } from "../../../domain/json.ts";
import { leftOut } from "../../../domain/left-out.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../../domain/run.ts";
import { addUsage } from "../../../domain/usage.ts";
import type { TranscriptBody } from "../../../domain/transcript.ts";
import { isTimeout } from "../../../lib/deadline-signal.ts";
import type { MessagePart, ModelMessage, ModelReply, Provider } from "../../../providers/provider.ts";
import type { HarnessContext } from "../../harness.ts";
import { skillsReadBy } from "../../skill-reads.ts";
import type { OfferedSkill } from "./skills.ts";
import { failed, type Tool, type Used } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** One trial's conversation; the messages grow from turn to turn. */
export interface Conversation {
  readonly provider: Provider;
  readonly model: string;
  readonly maxTokens: number;
  readonly maxSteps: number;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly skills: readonly OfferedSkill[];
  readonly stopOnSkill: string | null;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly messages: ModelMessage[];
}

export interface TurnEnd {
  /** Null: the turn ended well and the next message may be sent. */
  readonly outcome: Outcome | null;
  readonly model: string | null;
  readonly steps: number;
  readonly usage: Usage;
  readonly notes: readonly string[];
}

/** Lets the model work on the last message until it has nothing more to do, or somebody ends it. */
export async function playTurn(talk: Conversation, context: HarnessContext, turn: number): Promise<TurnEnd> {
  const emit = (body: TranscriptBody): number => context.emit(body, { turn });
  const notes: string[] = [];
  let usage = UNKNOWN_USAGE;
  let model: string | null = null;
  let steps = 0;
  const end = (outcome: Outcome | null): TurnEnd => ({ outcome, model, steps, usage, notes });
  while (steps < talk.maxSteps) {
    const reply = await ask(talk, context.signal);
    if (reply === null) return end(stopped(context.signal, talk.startedMs));
    usage = addUsage(usage, reply.usage);
    if (reply.status === "failed") {
      emit({ kind: "error", message: reply.message });
      return end(leftOut(reply.reason, reply.message, reply.httpStatus));
    }
    steps++;
    model = reply.model;
    tell(reply.parts, emit);
    talk.messages.push({ role: "assistant", parts: spoken(reply.parts) });
    const cutOff = reply.stop === "max-tokens";
    const calls = reply.parts.filter((part) => part.kind === "tool-call");
    if (calls.length === 0 && !cutOff) return end(null);
    const worked = await work(calls, { talk, context, emit, cutOff });
    notes.push(...worked.notes);
    if (worked.ended !== undefined) return end(worked.ended);
  }
  const message = `the agent did not finish within ${talk.maxSteps} model responses`;
  return end({ status: "max-turns", message });
}

interface Bench {
  readonly talk: Conversation;
  readonly context: HarnessContext;
  readonly emit: (body: TranscriptBody) => number;
  /** The reply was not whole, so what it asks for is not done. */
  readonly cutOff: boolean;
}

/** Makes the calls of one reply and tells the model what came of them. `ended` is there when the turn is over. */
async function work(
  calls: readonly Call[],
  bench: Bench,
): Promise<{ readonly notes: readonly string[]; readonly ended?: Outcome | null }> {
  const { messages } = bench.talk;
  const results: MessagePart[] = [];
  const notes: string[] = [];
  for (const call of calls) {
    const used = await useTool(call, bench);
    notes.push(...(used.notes ?? []));
    if (used.forced !== null && used.forced !== undefined) return { notes, ended: used.forced };
    if (used.stopped) return { notes, ended: { status: "completed" } };
    results.push(toResult(call, used));
    if (used.answer === undefined) continue;
    bench.emit({ kind: "message", role: "assistant", text: used.answer });
    messages.push({ role: "user", parts: allAnswered(calls, results) });
    messages.push({ role: "assistant", parts: [{ kind: "text", text: used.answer }] });
    return { notes, ended: null };
  }
  const goOn: MessagePart = { kind: "text", text: "Your reply was cut off. Go on, in smaller steps." };
  messages.push({ role: "user", parts: bench.cutOff ? [...results, goOn] : results });
  return { notes };
}

/** Null when the trial's time is up or the run is interrupted. */
async function ask(talk: Conversation, signal: AbortSignal): Promise<ModelReply | null> {
  const { provider, model, maxTokens, system, messages, tools } = talk;
  try {
    return await provider.complete(
      { model, system, messages, tools: tools.map(({ spec }) => spec), schema: null, maxTokens },
      signal,
    );
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function stopped(signal: AbortSignal, startedMs: number): Outcome {
  return isTimeout(signal.reason)
    ? { status: "timed-out", afterMs: performance.now() - startedMs }
    : leftOut("interrupted", "the run was interrupted");
}

function tell(parts: readonly MessagePart[], emit: (body: TranscriptBody) => number): void {
  for (const part of parts) {
    if (part.kind === "thinking" && part.text !== "") emit({ kind: "thinking", text: part.text });
    if (part.kind === "text" && part.text !== "")
      emit({ kind: "message", role: "assistant", text: part.text });
  }
}

/** Services refuse an empty message, though their models give some. */
function spoken(parts: readonly MessagePart[]): readonly MessagePart[] {
  const empty = parts.every((part) => part.kind === "thinking" || (part.kind === "text" && part.text === ""));
  return empty ? [...parts, { kind: "text", text: "(no words)" }] : parts;
}

type Call = Extract<MessagePart, { kind: "tool-call" }>;

async function useTool(
  call: Call,
  { talk, context, emit, cutOff }: Bench,
): Promise<Used & { readonly stopped: boolean }> {
  const { callId, tool: name, input } = call;
  emit({ kind: "tool-call", callId, tool: name, input });
  const tool = talk.tools.find(({ spec }) => spec.name === name);
  const denied = tool === undefined && TOOLS.some(({ spec }) => spec.name === name);
  const used = cutOff
    ? failed("the call was cut off and not made")
    : await useOrRefuse(tool, call, { talk, context, denied });
  emit({ kind: "tool-result", callId, tool: name, output: used.output, isError: used.isError, denied });
  const activated = activations(call, used);
  for (const { skill, by } of activated) emit({ kind: "skill-activated", skill, by });
  return { ...used, stopped: activated.some(({ skill }) => skill === talk.stopOnSkill) };
}

function useOrRefuse(
  tool: Tool | undefined,
  { tool: name, input }: Call,
  { talk, context, denied }: { talk: Conversation; context: HarnessContext; denied: boolean },
): Used | Promise<Used> {
  if (denied) return failed(`the tool ${name} is not allowed here`);
  if (tool === undefined) return failed(`there is no tool ${JSON.stringify(name)}`);
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return failed("the input is not a JSON object");
  return tool.use(input as JsonObject, { context, skills: talk.skills });
}

/** A skill is taken up by the tool for it, or by reading its instructions in another way. */
function activations({ tool, input }: Call, used: Used): readonly { skill: string; by: "tool" | "read" }[] {
  if (used.skill !== undefined) return [{ skill: used.skill, by: "tool" }];
  if (used.isError || (tool !== "Read" && tool !== "Bash")) return [];
  return skillsReadBy(input).map((skill) => ({ skill, by: "read" }));
}

function toResult({ callId }: Call, { output, isError }: Used): MessagePart {
  return { kind: "tool-result", callId, output: shortened(output), isError };
}

/** Services refuse a conversation in which a call has no result. */
function allAnswered(calls: readonly Call[], results: readonly MessagePart[]): readonly MessagePart[] {
  const missing = calls.slice(results.length);
  return [...results, ...missing.map((call) => toResult(call, failed("not done: the answer was given")))];
}

/** The model sees head and tail of a long output; the transcript has it whole. */
function shortened(output: string): string {
  if (output.length <= MOST_SHOWN) return output;
  const half = MOST_SHOWN / 2;
  const left = output.length - MOST_SHOWN;
  return `${output.slice(0, half)}\n\n(${left} characters left out)\n\n${output.slice(-half)}`;
}

const MOST_SHOWN = 40_000;
