import type { EventBody } from "../../domain/event.ts";
import type { Grading } from "../../domain/grading.ts";
import type { Iteration } from "../../domain/iteration.ts";
import { countsAs, type Run } from "../../domain/run.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import { gradeFinished } from "../../iteration/grade-finished.ts";
import { keepSkill } from "../../iteration/keep-skill.ts";
import { summarizeIteration } from "../../iteration/summarize.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { turns } from "../../lib/turns.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { openIteration, type OpenIteration } from "../../store/iteration.ts";
import { createIteration } from "../../store/iterations.ts";
import { caseFolders, projectFolder, type RunFolder, runFolder, runFolderOf } from "../../store/layout.ts";
import { writeManifest } from "../../store/manifest.ts";
import { freshRunFolder } from "../../store/write/run-folder.ts";

/** A run that was made elsewhere. */
export interface RunToKeep {
  readonly one: Case;
  readonly trial: Trial;
  readonly run: Run;
  readonly grading: Grading | null;
  /** Writes what the run left into its folder; one that does not count is set aside there. */
  readonly fill: (folder: RunFolder, counts: boolean) => Promise<void>;
}

export interface KeepingParts {
  /** The `.assay` folder. */
  readonly results: string;
  /** The number is given here. */
  readonly manifest: Omit<Iteration, "number">;
  readonly skill: Skill | null;
  readonly mask: SecretMask;
  readonly now: () => Date;
  readonly note: (text: string) => void;
}

/** Begins an iteration of its own, which no other process can write to. */
export async function openKeptIteration(parts: KeepingParts): Promise<KeptIteration> {
  const { results, mask, skill } = parts;
  const suite = projectFolder(results).suite(parts.manifest.suite);
  const { number, folder } = await createIteration(suite);
  const manifest: Iteration = { ...parts.manifest, number };
  const iteration = await openIteration(folder, mask);
  try {
    await writeManifest(folder.manifest, manifest, mask);
    if (skill !== null && manifest.skill !== null)
      await keepSkill(skill, { target: suite.skill(manifest.skill.sha256), madeIn: folder.root }, parts);
  } catch (error) {
    await iteration[Symbol.asyncDispose]();
    throw error;
  }
  return new KeptIteration(iteration, manifest, parts);
}

/**
 * An iteration to which runs are added as they come. Of each trial the first run that counts is in the numbers: another
 * attempt at it is kept as evidence and paid for, so that trying until it works does not look like working.
 */
export class KeptIteration {
  readonly #iteration: OpenIteration;
  readonly #manifest: Iteration;
  readonly #parts: KeepingParts;
  readonly #cases = new Map<string, Case>();
  readonly #trials = new Map<string, KeptTrial>();
  readonly #inTurn = turns();
  /** Cases that the last start lists. */
  #listed = 0;

  constructor(iteration: OpenIteration, manifest: Iteration, parts: KeepingParts) {
    this.#iteration = iteration;
    this.#manifest = manifest;
    this.#parts = parts;
  }

  /** Answers the run's folder, and whether the run is the one that counts for its trial. */
  add(run: RunToKeep): Promise<{ readonly folder: RunFolder; readonly counts: boolean }> {
    return this.#inTurn(() => this.#add(run));
  }

  /** The grading holds from now on, and so do the checks of the case. */
  grade(trialId: string, one: Case, grading: Grading): Promise<void> {
    return this.#inTurn(() => this.#grade(trialId, one, grading));
  }

  finish(): Promise<IterationReport> {
    return this.#inTurn(async () => {
      await this.#start();
      await this.#record({ kind: "iteration-finished", ended: "complete" });
      await this.#iteration[Symbol.asyncDispose]();
      const { mask } = this.#parts;
      return summarizeIteration(
        { folder: this.#iteration.folder.root },
        { mask, gates: null, allowMissing: 0, minPassRate: null },
      );
    });
  }

  async #add({ one, trial, run, grading, fill }: RunToKeep) {
    const { folder } = this.#iteration;
    const earlier = this.#trials.get(trial.id) ?? null;
    const attempt = (earlier?.attempts ?? 0) + 1;
    const mine = attempt === 1 ? trial : { ...trial, key: `${trial.key} attempt-${attempt}` };
    this.#cases.set(one.id, this.#cases.get(one.id) ?? one);
    const path = runFolderOf(caseFolders([...this.#cases.values()]).get(one.id) ?? one.id, trial);
    const counts = earlier === null || countsAs(earlier.run.outcome) === "left-out";
    const holds = counts ? { trial: mine, run, path } : earlier;
    this.#trials.set(trial.id, { ...holds, attempts: attempt });
    // A start repeats all cases, so there is not one for each of them.
    if (this.#listed === 0 || this.#cases.size >= 1.5 * this.#listed) await this.#start();
    const target = counts
      ? await freshRunFolder(folder, path, attempt)
      : runFolder(folder.attempt(path, attempt));
    await fill(target, counts);
    await this.#record({ kind: "trial-finished", trial: mine, attempt, run, folder: path });
    if (counts && grading !== null) await this.#record({ kind: "verdicts-recorded", trial: mine, grading });
    return { folder: target, counts };
  }

  async #grade(trialId: string, one: Case, grading: Grading): Promise<void> {
    const found = this.#trials.get(trialId);
    if (found === undefined) throw new Error(`no run is kept of ${trialId}`);
    this.#cases.set(one.id, one);
    const { mask, skill, now } = this.#parts;
    const { trial, run, path, attempts } = found;
    await gradeFinished(
      { at: now().toISOString(), kind: "trial-finished", trial, attempt: attempts, run, folder: path },
      {
        manifest: this.#manifest,
        iteration: this.#iteration,
        cases: this.#cases,
        mask,
        grade: async () => grading,
        skillNameOf: () => skill?.name ?? null,
        record: (body) => this.#record(body),
      },
      new AbortController().signal,
    );
  }

  async #start(): Promise<void> {
    const resumed = this.#listed > 0;
    this.#listed = this.#cases.size;
    await this.#record({
      kind: "iteration-started",
      iteration: this.#manifest,
      cases: [...this.#cases.values()],
      trials: Array.from(this.#trials.values(), ({ trial }) => trial),
      resumed,
    });
  }

  async #record(body: EventBody): Promise<void> {
    await this.#iteration.append({ at: this.#parts.now().toISOString(), ...body });
  }
}

interface KeptTrial {
  readonly trial: Trial;
  readonly run: Run;
  /** Relative to the iteration. */
  readonly path: string;
  readonly attempts: number;
}
