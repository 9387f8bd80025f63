import type { Ask, AskEntry } from "../../wires/ask.ts";
import type { WireName } from "../../wires/index.ts";
import { listedSkills } from "./skills.ts";

/** Where a conversation stands when the request arrives. Read from the request alone, so retries and parallel conversations cannot mix. */
export interface Scene {
  readonly ask: Ask;
  readonly wire: WireName;
  /** Which user message is being answered, from 1. */
  readonly turn: number;
  /** Which model response to that message is asked for, from 1. */
  readonly step: number;
  /** Model responses in the whole conversation so far. */
  readonly responses: number;
  /** The user message being answered, without what the client wraps around it. */
  readonly userText: string;
  /** What the tools answered since the last model response. */
  readonly results: readonly {
    readonly tool: string | null;
    readonly text: string;
    readonly isError: boolean;
  }[];
  readonly skills: readonly string[];
  /** A request beside the conversation: titles, topics, quota probes. */
  readonly side: boolean;
}

export function readScene(ask: Ask, wire: WireName): Scene {
  const count = { turn: 0, step: 1, responses: 0, results: [] as AskEntry[], said: [] as string[] };
  let before: AskEntry["kind"] | null = null;
  for (const entry of ask.entries) {
    if (entry.kind === "user") {
      // After a tool result the client speaks (a skill's body, a reminder), not the user.
      if (before === "result" || unwrap(entry.text) === "") continue;
      if (before !== "user") {
        count.turn++;
        count.step = 1;
        count.said = [];
      }
      count.said.push(unwrap(entry.text));
    } else if (entry.kind === "result") {
      if (before !== "result") count.results = [];
      count.results.push(entry);
    } else if (count.turn > 0 && before !== "assistant" && before !== "call") {
      count.responses++;
      count.step++;
    }
    if (entry.kind !== "result") count.results = [];
    before = entry.kind;
  }
  return {
    ask,
    wire,
    turn: Math.max(1, count.turn),
    step: count.step,
    responses: count.responses,
    userText: count.said.join("\n"),
    results: count.results.flatMap((entry) => namedResult(entry, ask.entries)),
    skills: listedSkills(ask).map((skill) => skill.name),
    side: looksAside(ask, count.said.join("\n")),
  };
}

/** All the text a request holds. */
export function wholeText(ask: Ask): string {
  return [ask.system, ...ask.entries.flatMap((entry) => (entry.kind === "call" ? [] : [entry.text]))].join(
    "\n",
  );
}

function namedResult(entry: AskEntry, entries: readonly AskEntry[]): Scene["results"] {
  if (entry.kind !== "result") return [];
  const call = entries.findLast((other) => other.kind === "call" && other.id === entry.callId);
  return [{ tool: call?.kind === "call" ? call.tool : null, text: entry.text, isError: entry.isError }];
}

const WRAPPERS = [
  /<system-reminder>[\s\S]*?<\/system-reminder>/g,
  /<environment_context>[\s\S]*?<\/environment_context>/g,
  /<session_context>[\s\S]*?<\/session_context>/g,
  /^This is the (?:Qwen Code|Gemini CLI)\. We are setting up the context for our chat\.[\s\S]*/g,
  /<user_instructions>[\s\S]*?<\/user_instructions>/g,
  /# AGENTS\.md instructions[^\n]*\n+<INSTRUCTIONS>[\s\S]*?<\/INSTRUCTIONS>/g,
];

function unwrap(text: string): string {
  return WRAPPERS.reduce((rest, wrapper) => rest.replaceAll(wrapper, ""), text).trim();
}

const SIDE_WORDING =
  /you are a title generator|title generator|generate a (?:concise|short|brief)[^.\n]{0,80}title|write a \d+-\d+ word title|if this message indicates a new conversation topic|isNewTopic|<policy_spec>/i;

function looksAside(ask: Ask, userText: string): boolean {
  if (ask.tools.length > 0 || ask.structured.via === "tool") return false;
  return SIDE_WORDING.test(ask.system) || SIDE_WORDING.test(userText) || userText === "quota";
}
