import { readFile } from "node:fs/promises";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { readLines } from "../../lib/jsonl.ts";
import { Recorder } from "../../run/recorder.ts";
import { ClaudeStream } from "../../run/harnesses/claude-code/stream.ts";
import { CodexStream } from "../../run/harnesses/codex/stream.ts";
import type { ForeignRun } from "../../store/foreign/foreign.ts";

export interface ImportedTranscript {
  readonly events: readonly TranscriptEvent[];
  readonly recorder: Recorder;
  readonly model: string | null;
  readonly steps: number;
}

/** What another tool kept of a conversation, in our words. A stream is a client's own; a text is told, not recorded. */
export async function importTranscript({ prompt, transcript }: ForeignRun): Promise<ImportedTranscript> {
  const events: TranscriptEvent[] = [];
  const recorder = new Recorder((event) => void events.push(event));
  if (prompt !== null) recorder.emit({ kind: "message", role: "user", text: prompt });
  if (transcript === null) return { events, recorder, model: null, steps: 0 };
  if (transcript.kind === "text") {
    const text = await readFile(transcript.path, "utf8");
    recorder.emit({ kind: "message", role: "assistant", text }, { agent: "transcript.md" });
    return { events, recorder, model: null, steps: 0 };
  }
  const options = { emit: recorder.emit, turn: 1, stopOnSkill: null, invoked: null };
  const stream =
    transcript.kind === "codex"
      ? new CodexStream({ ...options, threadUsage: null })
      : new ClaudeStream(options);
  for await (const { text } of readLines(transcript.path)) stream.hear(text);
  return { events, recorder, model: "model" in stream ? stream.model : null, steps: stream.steps };
}
