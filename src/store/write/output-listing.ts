import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Outcome, Run } from "../../domain/run.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { inFence } from "./transcript.ts";

/** Larger files are named only. */
const MAX_FILE_BYTES = 50_000;
const MAX_BYTES = 200_000;

/**
 * FILES.md: the answer and the files, where skill-creator's viewer, which shows the files right in `outputs` and nothing
 * else, would show nothing or only a part. Null where it shows everything, and where the agent took the name.
 */
export function outputListing(
  outputs: string,
  { run, transcript }: { readonly run: Run; readonly transcript: readonly TranscriptEvent[] },
): string | null {
  const entries = readdirSync(outputs, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const folders = entries.some((entry) => entry.isDirectory());
  const theirs = entries.some((entry) => entry.name === "FILES.md" && entry.parentPath === outputs);
  if (theirs || (files.length > 0 && !folders)) return null;
  const paths = run.changes.map((file) => `- ${file.path} (${file.change}, ${file.bytes} bytes)`);
  const answer = transcript
    .filter((event) => event.kind === "message" && event.role === "assistant" && event.agent === null)
    .map((event) => (event.kind === "message" ? event.text : ""));
  const parts = [
    ...ending(run.outcome),
    `# Files\n\n${paths.join("\n") || "none"}`,
    `# Answer\n\n${answer.join("\n\n") || "none"}`,
    ...contents(outputs, files),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** So that nobody takes a run that was cut off for one that had nothing to say. */
function ending(outcome: Outcome): string[] {
  if (outcome.status === "completed") return [];
  const why = "message" in outcome ? `: ${outcome.message}` : "";
  return [`# Ended\n\n${outcome.status}${why}`];
}

/** The text files in folders. */
function contents(outputs: string, files: readonly Dirent[]): string[] {
  let left = MAX_BYTES;
  return files
    .filter((file) => file.parentPath !== outputs)
    .map((file) => join(file.parentPath, file.name))
    .sort()
    .flatMap((path) => {
      const { size } = statSync(path);
      if (size > Math.min(left, MAX_FILE_BYTES)) return [];
      const text = textOf(path);
      if (text === null) return [];
      left -= size;
      return [`# ${relative(outputs, path).replaceAll(sep, "/")}\n\n${inFence(text.trimEnd())}`];
    });
}

/** Null for a file that is not text: one with a NUL byte or invalid UTF-8. */
function textOf(path: string): string | null {
  const bytes = readFileSync(path);
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
