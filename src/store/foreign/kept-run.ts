import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../../lib/text-file.ts";
import { metricsReader } from "../read/metrics.ts";
import type { FoundRunFolder } from "../read/runs.ts";
import { timingReader } from "../read/timing.ts";
import type { ForeignRun, ForeignText, Report } from "./foreign.ts";
import { readIfThere } from "./read-if-there.ts";

/** What was kept of a run, and the prompt where its transcript tells it. */
export async function keptRun(
  { folder }: FoundRunFolder,
  report: Report,
): Promise<{
  readonly prompt: string | null;
  readonly run: Pick<
    ForeignRun,
    "files" | "inputs" | "answer" | "transcript" | "durationMs" | "toolCalls" | "notes"
  >;
}> {
  const timing = await readIfThere(timingReader, folder.timing, report);
  const metrics = await readIfThere(metricsReader, folder.metrics, () => {});
  const transcript = [folder.transcriptText, join(folder.outputs, "transcript.md")].find((path) =>
    existsSync(path),
  );
  const told = transcript === undefined ? null : await readTextFile(transcript, MOST_TRANSCRIPT);
  const text = told?.ok === true ? told.text : "";
  return {
    prompt: sectionOf(text, "Eval Prompt"),
    run: {
      files: existsSync(folder.outputs) ? folder.outputs : null,
      inputs: existsSync(folder.inputs) ? folder.inputs : null,
      answer: answerOf(text, folder.outputText),
      transcript: transcript === undefined ? null : { kind: "text", path: transcript },
      durationMs: timing?.durationMs ?? null,
      toolCalls: metrics?.toolCalls ?? null,
      notes: tokenNotes(timing?.totalTokens ?? null),
    },
  };
}

const MOST_TRANSCRIPT = 16 * 1024 * 1024;

function answerOf(transcript: string, outputText: string): ForeignText | null {
  if (existsSync(outputText)) return { kind: "file", path: outputText };
  const text = sectionOf(transcript, "Final Result");
  return text === null ? null : { kind: "text", text };
}

/** As skill-creator's viewer finds the prompt: under its heading, up to the next one. */
function sectionOf(markdown: string, heading: string): string | null {
  const [, body = ""] =
    new RegExp(`(?:^|\\n)## ${heading}[ \\t]*\\r?\\n([\\s\\S]*?)(?=\\r?\\n## |$)`).exec(markdown) ?? [];
  return body.trim() === "" ? null : body.trim();
}

/** Of tokens that are only known all together. */
export function tokenNotes(total: number | null): readonly string[] {
  return total === null ? [] : [`it used ${total} tokens in all, according to skill-creator`];
}
