import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CutEvidence, Outcome, Run } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import { contamination } from "../run/contamination.ts";
import { type RunFolder, runFolderOf } from "../store/layout.ts";
import { promptText } from "../store/write/eval-metadata.ts";
import { freshRunFolder, type RunRecord, writeRunFiles } from "../store/write/run-folder.ts";
import { gradeFinished } from "./grade-finished.ts";
import { correctMetadata } from "./metadata.ts";
import { reuseRun } from "./reuse-run.ts";
import { runConnected } from "./connected-trial.ts";
import type { OpenWork } from "./work.ts";

/** Runs a trial until it counts or trying again makes no sense, keeps what it left, and grades it. */
export async function attemptTrial(trial: Trial, work: OpenWork, signal: AbortSignal): Promise<void> {
  const one = work.cases.get(trial.caseId);
  if (one === undefined) throw new Error(`the plan has a trial of an unknown case: ${trial.id}`);
  const folder = runFolderOf(work.folders.get(one.id) ?? one.id, trial);
  let attempt = work.iteration.earlier.attempts.get(trial.id) ?? 0;
  const earlier = work.reuse?.(trial) ?? null;
  if (earlier !== null) return reuseRun(trial, { earlier, folder, attempt: attempt + 1 }, work, signal);
  for (let tries = 1; ; tries++) {
    attempt++;
    const { run, again } = await attemptOnce({ trial, one, folder, attempt }, work, signal);
    const finished = { kind: "trial-finished", trial, attempt, run, folder } as const;
    await work.record(finished);
    const passing = again || mayPass(run.outcome);
    if (!passing || tries >= work.retries.attempts || signal.aborted) {
      await gradeFinished({ at: work.now().toISOString(), ...finished }, work, signal);
      return;
    }
    if (again) continue;
    const waitMs = work.retries.waitMs(tries);
    const reason = "message" in run.outcome ? run.outcome.message : run.outcome.status;
    const at = work.now().toISOString();
    work.listen({ at, kind: "trial-waiting", trial, attempt: attempt + 1, waitMs, reason });
    await wait(waitMs, undefined, { signal }).catch(() => {});
  }
}

/** Is it a trouble that may have passed the next time? */
function mayPass(outcome: Outcome): boolean {
  return "mayPass" in outcome && outcome.mayPass;
}

interface Attempt {
  readonly trial: Trial;
  readonly one: Case;
  readonly folder: string;
  readonly attempt: number;
}

async function attemptOnce(
  { trial, one, folder, attempt }: Attempt,
  work: OpenWork,
  signal: AbortSignal,
): Promise<{ run: Run; again: boolean }> {
  await work.record({ kind: "trial-started", trial, attempt });
  const files = await freshRunFolder(work.iteration.folder, folder, attempt);
  const withOutputs = one.kind === "task";
  const outputs = withOutputs ? files.outputs : join(files.root, "files");
  mkdirSync(outputs);
  const transcript = new BoundedTranscript();
  let output: string | null = null;
  const {
    harness,
    deadlineSeconds,
    skill = work.suite.skill,
    skillName,
    mcpServers,
  } = work.optionsFor(one, trial);
  const parts = await work.parts();
  await using connection = await work.connect(trial);
  const request = {
    refusal: await contamination(one, skill, trial.variant),
    id: workspaceId(trial, work),
    trial,
    case: one,
    skill,
    skillName,
    deadlineSeconds,
    options: harness,
    mcpServers,
    admitted: () => {
      work.listen({ at: work.now().toISOString(), kind: "agent-started", trialId: trial.id });
    },
    record: {
      rawStream: files.rawStream,
      stderr: join(files.root, "stderr.txt"),
      outputs,
      inputs: files.inputs,
      before: files.before,
      session: files.session,
      transcript: (event: TranscriptEvent) => {
        transcript.add(event);
        work.listen({ at: work.now().toISOString(), kind: "trial-progress", trialId: trial.id, event });
      },
      output: (text: string) => {
        output = text;
      },
    },
  };
  const ended = await runConnected(request, { parts, connection, mask: work.mask }, signal);
  const cut = [...(ended.run.cut ?? []), ...transcript.cut];
  const notes = [...ended.run.notes, ...transcript.cut.map(({ reason }) => reason)];
  const run = { ...ended.run, notes, ...(cut.length > 0 && { cut }) };
  const left = { run, transcript: transcript.events, output, withOutputs };
  await keep(files, { ...left, one, variant: trial.variant }, work);
  return { run, again: ended.again };
}

/** Agents can see it, so it does not name the variant. Neither suites nor cases that are alike share one. */
function workspaceId({ id }: Trial, { manifest }: OpenWork): string {
  const place = [manifest.suite, manifest.number, id];
  return createHash("sha256").update(JSON.stringify(place)).digest("hex").slice(0, 16);
}

type Left = Pick<RunRecord, "run" | "transcript" | "output" | "withOutputs">;

async function keep(
  files: RunFolder,
  { run, one, variant, ...left }: Left & { readonly one: Case; readonly variant: Variant },
  work: OpenWork,
): Promise<void> {
  const skill = work.suite.skill?.name ?? "";
  const inputs = one.files.map((file) => file.target);
  const prompt = run.sent?.messages.join("\n\n") ?? promptText(one, variant, skill);
  const installed = variant === "without_skill" || skill === "" ? null : skill;
  await writeRunFiles(files, { prompt, skill: installed, inputs, run, ...left }, work.mask);
  await correctMetadata(work, { caseId: one.id, variant, prompt });
}

/** The raw stream has everything; the transcript stops where nobody would read on. */
class BoundedTranscript {
  readonly events: TranscriptEvent[] = [];
  #ended = false;
  #chars = 0;

  add(event: TranscriptEvent): void {
    if (this.#ended) return;
    this.#chars += JSON.stringify(event).length;
    if (this.#chars <= MOST_TRANSCRIPT_CHARS) this.events.push(event);
    else this.#ended = true;
  }

  get cut(): readonly CutEvidence[] {
    const reason = `the transcript ends at event ${this.events.length - 1}: the rest is only in output.jsonl`;
    return this.#ended ? [{ of: "transcript", reason }] : [];
  }
}

const MOST_TRANSCRIPT_CHARS = 8 * 1024 * 1024;
