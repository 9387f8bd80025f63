import type { TranscriptEvent } from "../../domain/transcript.ts";

/** A line of a skill's text, with what of it could be found again in what an agent did. */
export interface TracedLine {
  readonly text: string;
  /** Commands, names and runs of words, as they are written; none: nothing of it would tell it from other lines. */
  readonly traces: readonly string[];
}

/** What one run did and said by itself, as it is compared. */
export interface RunWords {
  /** What was asked: an agent that repeats it has not learned it from the skill. */
  readonly asked: string;
  readonly said: string;
  /** The inputs of its tool calls alone. */
  readonly calls: string;
}

const FENCE = /^\s*(?:```|~~~)/;
const CODE = /`([^`]{3,})`/g;
/** An agent writes something else there. */
const PLACEHOLDER = /<[^<>]+>/;
/** Names of files, paths and options. */
const NAME = /(?:\.{0,2}\/)?[\w-]+(?:\/[\w.-]+)+|\b[\w-]+\.[a-z]{1,5}\b|--[a-z][\w-]+/gi;
/** So many words in a row are hardly chance. */
const IN_A_ROW = 4;

/** Frontmatter, headings' signs, blank lines and words that every text has leave no traces. */
export function lineTraces(skill: string): readonly TracedLine[] {
  let isFrontmatter = /^---\r?\n/.test(skill);
  let isCode = false;
  return skill.split(/\r?\n/).map((text, at) => {
    if (isFrontmatter) {
      isFrontmatter = at === 0 || text.trim() !== "---";
      return { text, traces: [] };
    }
    if (FENCE.test(text)) {
      isCode = !isCode;
      return { text, traces: [] };
    }
    return { text, traces: isCode ? wholeLine(text) : tracesOf(text) };
  });
}

function wholeLine(text: string): readonly string[] {
  const line = plain(text);
  return line.length < 6 ? [] : [line];
}

function tracesOf(text: string): readonly string[] {
  const code = [...text.matchAll(CODE)].flatMap(([, span = ""]) => span.split(PLACEHOLDER).map(plain));
  const names = (text.match(NAME) ?? []).map(plain);
  const words = wordsOf(text.replaceAll(CODE, " "));
  const rows = Array.from({ length: Math.max(0, words.length - IN_A_ROW + 1) }, (_, at) =>
    words.slice(at, at + IN_A_ROW).join(" "),
  );
  return [...new Set([...code, ...names, ...rows])].filter((trace) => trace.length >= 3);
}

/** Those of a line that this run left; longer ones say it all where they hold shorter ones. */
export function tracesIn({ asked, said }: RunWords, traces: readonly string[]): readonly string[] {
  const found = traces.filter((trace) => !asked.includes(trace) && said.includes(trace));
  return found.filter((trace) => !found.some((other) => other !== trace && other.includes(trace)));
}

/** From when the skill was taken up, if that can be seen; what tools answered is not the agent's own. */
export function runWords(events: readonly TranscriptEvent[]): RunWords {
  const begin = events.findIndex(({ kind }) => kind === "skill-activated");
  const own: string[] = [];
  const calls: string[] = [];
  const asked: string[] = [];
  for (const event of events) {
    if (event.kind === "message" && event.role === "user") asked.push(event.text);
    if (event.index < begin) continue;
    if ((event.kind === "message" && event.role === "assistant") || event.kind === "thinking")
      own.push(event.text);
    else if (event.kind === "tool-call") calls.push(textsIn(event.input));
  }
  const compared = (texts: readonly string[]) =>
    `${plain(texts.join(" "))} ${wordsOf(texts.join(" ")).join(" ")}`;
  return { asked: compared(asked), said: compared([...own, ...calls]), calls: calls.join("\n") };
}

/** Every text in a tool's input. */
function textsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textsIn).join("\n");
}

function plain(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
