import { mkdirSync, openSync, closeSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EventBody } from "../../src/domain/event.ts";
import { STORE_SCHEMA } from "../../src/domain/iteration.ts";
import type { FileChange } from "../../src/domain/run.ts";
import type { TranscriptBody, TranscriptEvent } from "../../src/domain/transcript.ts";
import type { Evaluated } from "../../src/report/evaluated.ts";
import { summarize } from "../../src/report/summarize.ts";
import { projectFolder } from "../../src/store/layout.ts";
import { benchmarkOfSize } from "../sizes.ts";

export interface IterationSize {
  readonly suite: string;
  readonly cases: number;
  readonly checks: number;
  readonly runs: number;
  /** What every run did to files. */
  readonly changes?: readonly FileChange[];
}

/** An iteration as its runner would leave it, without the runs' files; answers with where each run's transcript belongs. */
export function makeIteration(
  root: string,
  { suite, changes = [], ...size }: IterationSize,
): ReadonlyMap<string, string> {
  const made = benchmarkOfSize(size);
  const evaluated: Evaluated = { ...made, iteration: { ...made.iteration, suite } };
  const { iteration, cases, trials, runs, gradings } = evaluated;
  const folder = projectFolder(root).suite(suite).iteration(1);
  mkdirSync(folder.root, { recursive: true });
  const lines: EventBody[] = [{ kind: "iteration-started", iteration, cases, trials, resumed: false }];
  const transcripts = new Map<string, string>();
  for (const trial of trials) {
    const place = `eval-${trial.caseId}/${trial.variant}/run-${trial.repetition}`;
    const run = runs.get(trial.id)?.run;
    const grading = gradings.get(trial.id);
    if (run === undefined || grading === undefined) throw new Error(`${trial.id} was not made whole`);
    lines.push({ kind: "trial-finished", trial, attempt: 1, run: { ...run, changes }, folder: place });
    lines.push({ kind: "verdicts-recorded", trial, grading });
    transcripts.set(trial.id, folder.run(place).transcript);
  }
  lines.push({ kind: "iteration-finished", ended: "complete" });
  const journal = lines.map(
    (line) => `${JSON.stringify({ schema: STORE_SCHEMA, at: iteration.createdAt, ...line })}\n`,
  );
  writeFileSync(folder.journal, journal.join(""));
  writeFileSync(folder.manifest, `${JSON.stringify(iteration)}\n`);
  writeFileSync(folder.summary, JSON.stringify(summarize(evaluated, { minPassRate: null, allowMissing: 0 })));
  return transcripts;
}

/** A transcript of so many events; each is about so many bytes. `word` is said once in every so many events. */
export function makeTranscript(
  path: string,
  {
    events,
    bytesEach,
    word = null,
    changeEach = 0,
  }: {
    readonly events: number;
    readonly bytesEach: number;
    readonly word?: { readonly text: string; readonly each: number } | null;
    /** Every so many events say something that no other transcript says; 0: none do. */
    readonly changeEach?: number;
  },
): void {
  mkdirSync(dirname(path), { recursive: true });
  const filler = "What the tool printed goes on for a while, line after line.\\n".repeat(
    Math.max(0, Math.round((bytesEach - 220) / 62)),
  );
  const file = openSync(path, "w");
  let block: string[] = [];
  for (let index = 0; index < events; index++) {
    const said = word !== null && index % word.each === word.each - 1 ? ` ${word.text}` : "";
    const own = changeEach > 0 && index % changeEach === changeEach - 1 ? ` of ${path}` : "";
    block.push(`${JSON.stringify(eventAt(index, `step ${index}${said}${own}`)).replace("FILLER", filler)}\n`);
    if (block.length < 2000 && index < events - 1) continue;
    writeSync(file, block.join(""));
    block = [];
  }
  closeSync(file);
}

function eventAt(index: number, words: string): TranscriptEvent {
  return { index, turn: 1, agent: null, ...bodyAt(index, words) };
}

function bodyAt(index: number, words: string): TranscriptBody {
  const callId = `toolu_${String(index - (index % 3)).padStart(12, "0")}`;
  switch (index % 3) {
    case 0:
      return { kind: "message", role: "assistant", text: `${words} FILLER` };
    case 1:
      return { kind: "tool-call", callId, tool: "Bash", input: { command: `${words} FILLER` } };
    default:
      return {
        kind: "tool-result",
        callId,
        tool: "Bash",
        output: `${words} FILLER`,
        isError: false,
        denied: false,
      };
  }
}

/** A file that a run changed: what it was, and what it is. */
export function writeChanged(transcript: string, name: string, lines: number): void {
  for (const [area, word] of [
    ["before", "was"],
    ["outputs", "is"],
  ] as const) {
    const path = join(dirname(transcript), area, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      Array.from({ length: lines }, (_, at) => `line ${at} ${at % 2 === 0 ? word : "stays"}\n`).join(""),
    );
  }
}
