import type { EvalEvent, IterationEnd } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import type { LeftOut, Outcome, Replay, Usage } from "../domain/run.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Skill } from "../domain/skill.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { Plan } from "../domain/plan.ts";
import type { Trial } from "../domain/trial.ts";
import type { Subject } from "../grade/subject.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import type { NetworkCell } from "../run/network/cell.ts";
import type { Executor } from "../run/executor.ts";
import type { Endpoint, HarnessOptions } from "../run/harness.ts";
import type { Places } from "../run/sandbox.ts";
import type { Traffic } from "../run/traffic.ts";
import type { TrialParts } from "../run/trial.ts";
import type { OpenIteration } from "../store/iteration.ts";
import { caseFolders, evalIds } from "../store/layout.ts";
import { remainingTrials, ungradedRuns } from "../store/state.ts";
import { gradeFinished, type GradingWork } from "./grade-finished.ts";
import { attemptTrial } from "./attempt-trial.ts";
import { CanaryWatch } from "./canary-watch.ts";
import { writeMetadata } from "./metadata.ts";
import { runsToRecheck, runsToReopen } from "./recheck.ts";
import type { ReuseRun } from "./reuse-run.ts";

/** Everything that working through one iteration needs. */
export interface IterationWork {
  readonly manifest: Iteration;
  readonly plan: Plan;
  readonly iteration: OpenIteration;
  /** What all trials share; made ready when the first of them asks. */
  readonly parts: () => Promise<TrialParts>;
  readonly executor: Executor;
  readonly mask: SecretMask;
  /** Null with `--no-grade`. */
  readonly grade: ((subject: Subject, signal: AbortSignal) => Promise<Grading>) | null;
  readonly optionsFor: (one: Case, trial: Trial) => TrialOptions;
  /** A finished run to take over instead of making one; absent: every trial is run. */
  readonly reuse?: ReuseRun;
  /** Opens the way to the model service for one trial; null: the client finds its own. */
  readonly connect: (trial: Trial) => Promise<Connection> | null;
  /** Sees every event after the journal has it. */
  readonly listen: (event: EvalEvent) => void;
  readonly retries: RetryPolicy;
  readonly now: () => Date;
}

export interface TrialOptions {
  readonly harness: HarnessOptions;
  readonly deadlineSeconds: number;
  /** The skill to install, where it is not the suite's own. */
  readonly skill?: Skill;
  /** The name to install the skill under, where it is not its own. */
  readonly skillName: string | null;
  readonly mcpServers: JsonObject | null;
}

export interface Connection extends AsyncDisposable {
  /** Null: the client finds its model itself. */
  readonly endpoint: Endpoint | null;
  /** The address of a proxy to hosts that the user allows; null: there are none. */
  readonly proxy: string | null;
  /** What the traffic showed, once the trial has ended. */
  readonly traffic: () => Traffic;
  /** A network whose only way out is this; absent: there is none. */
  readonly cell?: () => Promise<NetworkCell>;
  /** Where traffic is recorded or replayed. */
  readonly tape?: TrialTape;
  /** Why the agent must not be started; absent or null: it may. */
  readonly refused?: LeftOut | null;
  /** Told what a started agent says it used; null where its traffic was seen. */
  readonly ended?: (usage: Usage | null) => void;
}

/** What recording and replaying want to know of a trial, and say about it. */
interface TrialTape {
  /** Why there is nothing to replay, so that the agent need not be started. */
  readonly refusal: string | null;
  readonly placed: (where: Places & { readonly skill: string | null }) => void;
  /** Called once, with the outcome as it would be without a tape. */
  readonly finish: (outcome: Outcome) => Promise<{
    readonly outcome: Outcome;
    readonly replay: Replay | null;
    readonly notes: readonly string[];
    /** Another attempt is worth making: it will be recorded. */
    readonly again: boolean;
  }>;
}

interface RetryPolicy {
  /** Attempts in all for a trial that a passing trouble kept from being counted. */
  readonly attempts: number;
  readonly waitMs: (attempt: number) => number;
}

/** The iteration with what follows from it. */
export interface OpenWork extends IterationWork, GradingWork {
  readonly iteration: OpenIteration;
  readonly suite: Suite;
  /** By case id, relative to the iteration. */
  readonly folders: ReadonlyMap<string, string>;
  /** By case id: the numbers that other tools know the cases by. */
  readonly evalIds: ReadonlyMap<string, number>;
}

/** Runs what is still to run and grades what is still to grade. The journal has everything before this answers. */
export async function workThrough(work: IterationWork, signal: AbortSignal): Promise<IterationEnd> {
  const { iteration, plan } = work;
  const { suite } = plan;
  const left = new Set(plan.repetition?.leave);
  const remaining = remainingTrials(plan.trials, iteration.earlier).filter(({ id }) => !left.has(id));
  const canary = new CanaryWatch(remaining);
  const open = openWork(work, canary);
  await open.record({
    kind: "iteration-started",
    iteration: work.manifest,
    cases: suite.cases.filter((one) => plan.trials.some((trial) => trial.caseId === one.id)),
    trials: plan.trials,
    resumed: iteration.earlier.iteration !== null,
    basis: plan.determinants,
  });
  await writeMetadata(open);
  const isOfNoUse = (trial: Trial) => canary.isSilent && open.cases.get(trial.caseId)?.kind === "trigger";
  let unasked = 0;
  let begun = 0;
  const trials = new Map(remaining.map((trial) => [trial.id, trial]));
  await work.executor.run(
    {
      jobs: remaining.map(({ id, key }) => ({ id, key })),
      perform: async (job, jobSignal) => {
        const trial = trials.get(job.id);
        if (trial === undefined) throw new Error(`the plan has no trial ${job.id}`);
        begun++;
        if (isOfNoUse(trial)) unasked++;
        else await attemptTrial(trial, open, jobSignal);
      },
    },
    signal,
  );
  if (unasked > 0) await open.record(unaskedNote(unasked));
  const recheck = runsToRecheck({ trials: plan.trials, cases: suite.cases }, iteration.earlier);
  const reopen = runsToReopen(plan.trials, iteration.earlier);
  for (const finished of new Set([...ungradedRuns(iteration.earlier), ...recheck, ...reopen])) {
    if (!signal.aborted) await gradeFinished(finished, open, signal);
  }
  const isWhole = !signal.aborted && begun === remaining.length;
  const ended: IterationEnd = isWhole ? "complete" : "interrupted";
  await open.record({ kind: "iteration-finished", ended });
  return ended;
}

function unaskedNote(count: number) {
  const runs = count === 1 ? "1 run" : `${count} runs`;
  return {
    kind: "note",
    code: "triggers/silent-canary",
    message: `the skill did not fire even when it was asked for by name, so ${runs} of trigger queries were skipped; --resume runs them anyway`,
    trialId: null,
  } as const;
}

function openWork(work: IterationWork, canary: CanaryWatch): OpenWork {
  const { iteration, listen, now } = work;
  const { suite } = work.plan;
  const cases = new Map(suite.cases.map((one) => [one.id, one]));
  const skillNameOf: OpenWork["skillNameOf"] = (one, trial) =>
    work.optionsFor(one, trial).skillName ?? suite.skill?.name ?? null;
  return {
    ...work,
    suite,
    cases,
    folders: caseFolders(suite.cases, iteration.earlier.caseFolders),
    evalIds: evalIds(suite.cases),
    skillNameOf,
    async record(body) {
      const event = { at: now().toISOString(), ...body };
      await iteration.append(event);
      const one = event.kind === "trial-finished" ? cases.get(event.trial.caseId) : undefined;
      if (event.kind === "trial-finished" && one !== undefined)
        canary.hear(event, skillNameOf(one, event.trial));
      listen(event);
    },
  };
}
