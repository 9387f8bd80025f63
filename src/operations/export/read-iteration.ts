import type { TranscriptEvent } from "../../domain/transcript.ts";
import { UserError } from "../../domain/user-error.ts";
import { readLines } from "../../lib/jsonl.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { ExportedIteration, ExportedRun } from "../../report/exporter.ts";
import { summarize } from "../../report/summarize.ts";
import type { FoundIteration } from "../find-run.ts";

/** An iteration with the transcripts of its runs, without secrets. */
export async function exportedIteration(
  { folder, state }: FoundIteration,
  { content, mask, signal }: { content: boolean; mask: SecretMask; signal: AbortSignal },
): Promise<ExportedIteration> {
  const { iteration } = state;
  if (iteration === null || state.runs.size === 0)
    throw new UserError(
      "export/nothing",
      `no run of ${folder.root} has ended, so there is nothing to export`,
      {
        hint: "assay run makes one; --resume continues one that was stopped",
      },
    );
  const cases = new Map(state.cases.map((one) => [one.id, one]));
  const runs: ExportedRun[] = [];
  for (const trial of state.trials) {
    signal.throwIfAborted();
    const finished = state.runs.get(trial.id);
    const one = cases.get(trial.caseId);
    if (finished === undefined || one === undefined) continue;
    runs.push({
      trial,
      case: one,
      run: mask.json(finished.run),
      grading: mask.json(state.gradings.get(trial.id) ?? null),
      transcript: mask.json(await transcriptAt(folder.run(finished.folder).transcript)),
    });
  }
  const summary = summarize({ ...state, iteration }, { allowMissing: 0, minPassRate: null });
  return { iteration, summary, cases: state.cases, runs, content };
}

/** Lines that cannot be read are left out: what was kept of a run is evidence, not input. */
async function transcriptAt(path: string): Promise<readonly TranscriptEvent[]> {
  const events: TranscriptEvent[] = [];
  try {
    for await (const { text } of readLines(path)) {
      const event = parsed(text);
      if (event !== null) events.push(event);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return events;
}

function parsed(text: string): TranscriptEvent | null {
  try {
    const event = JSON.parse(text) as TranscriptEvent | null;
    return typeof event?.kind === "string" ? event : null;
  } catch {
    return null;
  }
}
