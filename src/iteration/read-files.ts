import { posix } from "node:path";
import type { TranscriptEvent } from "../domain/transcript.ts";
import { escapeRegExp } from "../lib/escape-reg-exp.ts";
import { readLines } from "../lib/jsonl.ts";

/** The inputs of a run's tool calls; null where the transcript cannot be read. */
export async function toolCallsIn(transcript: string): Promise<readonly string[] | null> {
  const calls: string[] = [];
  try {
    for await (const { text } of readLines(transcript)) {
      const event = JSON.parse(text) as TranscriptEvent;
      if (event.kind === "tool-call") calls.push(JSON.stringify(event.input) ?? "");
    }
  } catch {
    return null;
  }
  return calls;
}

export interface SkillFilesNamed {
  /** The folder that the skill was staged in. */
  readonly folder: string;
  /** Relative paths. */
  readonly files: readonly string[];
  /** The text of a program of the skill; null for anything else. */
  readonly textOf: (path: string) => string | null;
}

/**
 * The files of a skill that a run may have read: those that its tool calls name, alone or with a whole folder of them, and
 * those named by a program of the skill that it called.
 */
export function filesRead(
  calls: readonly string[],
  { folder, files, textOf }: SkillFilesNamed,
): ReadonlySet<string> {
  const read = new Set<string>();
  const texts = calls.map((call) => call.replaceAll(ONLY_LOOKS, " "));
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const path of files) {
      if (read.has(path) || !names(text, path, folder)) continue;
      read.add(path);
      const program = textOf(path);
      if (program !== null) texts.push(program);
    }
  }
  return read;
}

/** Going to a folder, or listing it, reads no file in it. */
const ONLY_LOOKS = /\b(?:cd|ls)\s+(?:-\w+\s+)*[^\s"';&|<>()*?]+/gu;

/** By the file's own name, or by one of its folders as a whole: `references/*`, `grep -r form references`. */
function names(text: string, path: string, skill: string): boolean {
  const file = posix.basename(path);
  if (text.includes(file) || imports(text, file.replace(/\.[^.]*$/u, ""))) return true;
  const inner = path.split("/").slice(0, -1);
  return (
    asWhole(text, `/${escapeRegExp(skill)}`) ||
    inner.some((folder) => asWhole(text, `(?<![\\w-])${escapeRegExp(folder)}`))
  );
}

/** Programs import each other without an ending. */
function imports(text: string, stem: string): boolean {
  return new RegExp(`\\b(?:import|from|require|source)\\b.*\\b${escapeRegExp(stem)}\\b`, "u").test(text);
}

/** `folder` is a pattern. */
function asWhole(text: string, folder: string): boolean {
  return new RegExp(`${folder}(?:/?[*?"'\\s\\\\;|&)]|/?$)`, "u").test(text);
}
