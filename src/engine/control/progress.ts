import type { IterationStatus, SpendingStatus, TrialStatus } from "../../domain/control.ts";
import type { EvalEvent, IterationEnd } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import { countsAs, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { addUsage } from "../../domain/usage.ts";
import { failsCase, type GateOptions } from "../../report/gates.ts";
import { readIteration } from "../../store/iteration.ts";
import { type IterationFolder, projectFolder } from "../../store/layout.ts";

/** How far a call is, from the events of its iterations. */
export class RunProgress {
  readonly #options: GateOptions;
  readonly #iterations = new Map<string, Tracked>();
  #usage: Usage = UNKNOWN_USAGE;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** `results` is the folder that the iteration lies in. */
  hear(event: EvalEvent, iteration: Iteration, results: string): void {
    if (event.kind === "trial-finished" && event.run.reusedFrom === null)
      this.#usage = addUsage(this.#usage, event.run.usage);
    if (event.kind === "verdicts-recorded") this.#usage = addUsage(this.#usage, event.grading.usage);
    const folder = projectFolder(results).suite(iteration.suite).iteration(iteration.number);
    const tracked = this.#iterations.get(folder.root) ?? newlyTracked(iteration, folder);
    this.#iterations.set(folder.root, tracked);
    track(event, tracked, this.#options);
  }

  async iterations(): Promise<readonly IterationStatus[]> {
    return Promise.all([...this.#iterations.values()].map(statusOf));
  }

  get spent(): Pick<SpendingStatus, "costUsd" | "tokens"> {
    const { costUsd, inputTokens, outputTokens } = this.#usage;
    const isKnown = inputTokens !== null || outputTokens !== null;
    return { costUsd, tokens: isKnown ? (inputTokens ?? 0) + (outputTokens ?? 0) : null };
  }
}

interface Tracked {
  readonly iteration: Iteration;
  readonly folder: IterationFolder;
  readonly cases: Map<string, Case>;
  planned: number;
  /** An earlier runner has finished some of its trials; only the journal knows which. */
  isResumed: boolean;
  readonly finished: Set<string>;
  readonly leftOut: Set<string>;
  readonly failed: Set<string>;
  /** Trials that are prepared and wait for their agent's slot, with the attempt. */
  readonly prepared: Map<string, number>;
  readonly atWork: Map<string, TrialStatus>;
  ended: IterationEnd | null;
}

function newlyTracked(iteration: Iteration, folder: IterationFolder): Tracked {
  return {
    iteration,
    folder,
    cases: new Map(),
    planned: 0,
    isResumed: false,
    finished: new Set(),
    leftOut: new Set(),
    failed: new Set(),
    prepared: new Map(),
    atWork: new Map(),
    ended: null,
  };
}

function track(event: EvalEvent, tracked: Tracked, options: GateOptions): void {
  switch (event.kind) {
    case "iteration-started":
      for (const one of event.cases) tracked.cases.set(one.id, one);
      tracked.planned = event.trials.length;
      tracked.isResumed ||= event.resumed;
      tracked.ended = null;
      return;
    case "trial-started":
      tracked.prepared.set(event.trial.id, event.attempt);
      return;
    case "agent-started": {
      const { trialId, at } = event;
      const attempt = tracked.prepared.get(trialId) ?? 1;
      tracked.prepared.delete(trialId);
      tracked.atWork.set(trialId, { trialId, since: at, attempt, lastTool: null });
      return;
    }
    case "trial-progress": {
      const known = tracked.atWork.get(event.trialId);
      if (known !== undefined && event.event.kind === "tool-call")
        tracked.atWork.set(event.trialId, { ...known, lastTool: event.event.tool });
      return;
    }
    case "trial-finished": {
      const { id } = event.trial;
      tracked.prepared.delete(id);
      tracked.atWork.delete(id);
      tracked.finished.add(id);
      if (countsAs(event.run.outcome) === "left-out") tracked.leftOut.add(id);
      else tracked.leftOut.delete(id);
      return;
    }
    case "verdicts-recorded": {
      const { trial, grading } = event;
      const one = tracked.cases.get(trial.caseId);
      const held = { variant: trial.variant, verdicts: grading.verdicts };
      const around = { iteration: tracked.iteration, options };
      if (one !== undefined && failsCase(one, held, around)) tracked.failed.add(trial.id);
      else tracked.failed.delete(trial.id);
      return;
    }
    case "iteration-finished":
      tracked.ended = event.ended;
      return;
    case "trial-waiting":
    case "services-limited":
    case "money-spent":
    case "tokens-used":
    case "pace-changed":
    case "note":
  }
}

async function statusOf(tracked: Tracked): Promise<IterationStatus> {
  const { iteration, folder, planned, finished, leftOut, failed, prepared, atWork, ended } = tracked;
  const { suite, number, purpose, harness, model } = iteration;
  const earlier = tracked.isResumed ? await committedIds(folder) : [];
  const done = new Set([...earlier, ...finished]);
  for (const id of [...prepared.keys(), ...atWork.keys()]) done.delete(id);
  return {
    suite,
    number,
    purpose,
    harness,
    model,
    folder: folder.root,
    trials: { planned, done: done.size, leftOut: leftOut.size, failed: failed.size },
    atWork: [...atWork.values()],
    ended,
  };
}

async function committedIds(folder: IterationFolder): Promise<readonly string[]> {
  const { state } = await readIteration(folder);
  return [...state.committed.values()].map(({ trial }) => trial.id);
}
