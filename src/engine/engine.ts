import type { EvalEvent } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import type { Iteration, Purpose } from "../domain/iteration.ts";
import type { AsJson } from "../domain/json.ts";
import type { Plan } from "../domain/plan.ts";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import type { Variant } from "../domain/trial.ts";
import type { TriggerRuns } from "../domain/triggers.ts";
import type { Subject } from "../grade/subject.ts";
import type { Comparing, Iterating } from "../iteration/iterate.ts";
import { type Rounds, triggerRounds } from "../iteration/rounds.ts";
import type { Summarizing } from "../iteration/summarize.ts";
import { memo } from "../lib/memo.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { slots } from "../lib/slots.ts";
import { turns } from "../lib/turns.ts";
import type { Machine } from "../machine.ts";
import type { GateSource } from "../report/gates.ts";
import type { Reporter } from "../report/reporter.ts";
import type { Executor } from "../run/executor.ts";
import { type ExecutorOptions, executors } from "../run/executors/index.ts";
import { createPace, type Pace } from "../run/pace.ts";
import { triggerRunsOf } from "../triggers/repeats.ts";
import type { Config } from "./config.ts";
import type { Control } from "./control/open-control.ts";
import { failFast } from "./fail-fast.ts";
import { type GroundOf, Grounds } from "./grounds.ts";
import type { Services } from "./models/services.ts";
import type { Preflight } from "./preflight/preflight.ts";
import { askForSkills } from "./skill-consent.ts";
import { planAgain, planRequest, type PlanRequest } from "./plan-suites.ts";
import type { RunOptions } from "./run-options.ts";
import { takeUpEarlier } from "./take-up.ts";
import { type Survey, surveyMachine } from "./survey.ts";
import { VERSION } from "./version.ts";

/** What a caller wants evaluated, and by which parts. Operations build one and pass what differs. */
export interface EvaluationRequest {
  readonly machine: Machine;
  readonly config: Config;
  readonly options: RunOptions;
  readonly purpose: Purpose;
  readonly variants: readonly Variant[];
  readonly defaultRuns: { readonly task: number; readonly trigger: number };
  /** The results folder, absolute. */
  readonly results: string;
  readonly reporter: Required<Reporter>;
  readonly mask: SecretMask;
  /** Null: runs are not graded. */
  readonly grade: ((subject: Subject, signal: AbortSignal) => Promise<Grading>) | null;
  readonly connect: Services["connect"];
  /** Refuses what cannot work before anything is paid for. Absent: nobody looks. */
  readonly preflight?: Preflight;
  /** Who judges a suite and by which prices; for the manifest. */
  readonly graded: (suite: Suite) => Pick<Iteration, "judge" | "prices">;
  /** Looks at the plans before anything is made; throws a UserError where they must not be run. */
  readonly inspect?: (plans: readonly Plan[]) => Promise<void>;
  /** Absolute paths that no agent may see, beside evals and results. */
  readonly hidden?: readonly string[];
  /** Absent: no arms are compared. */
  readonly bench?: BenchRequest;
  /** The project's own skill, where the suites run a version of it from another place. */
  readonly own?: Skill;
  /** Repetitions that are added while something is open, where no arms are compared. */
  readonly rounds?: Rounds;
  /** Lets others see and steer what is at work. Absent: nobody can. */
  readonly control?: Pick<Control, "pace" | "signal" | "listen">;
  /** Start nothing new once a case has failed. Absent: no. */
  readonly failFast?: boolean;
  /** Only cases that the last iteration of each plan did not pass. Absent: all. */
  readonly lastFailed?: boolean;
}

/** What a benchmark asks beyond its arms. */
export interface BenchRequest extends Comparing {
  /** The version that `old_skill` installs; null where there is none. */
  readonly olderVersion: (skill: Skill) => Promise<Skill | null>;
  /** Where the skill lies for people, if the version under test was fetched to another place. */
  readonly skillPath?: string;
  /** Null: all repetitions are planned from the start. */
  readonly rounds: Rounds | null;
  /** Arms with an iteration of their own, which is summarized after the one it is compared with. Absent: there are none. */
  readonly apart?: readonly Variant[];
  /** Further gates of an iteration, such as how the skill did when it was last fine. */
  readonly gates?: GateSource;
}

/** The parts that one evaluation works with on this machine. */
export interface Engine {
  readonly machine: Machine;
  readonly survey: Survey;
  readonly planning: PlanRequest;
  /** Arms that are planned as iterations of their own, beside those of `planning`. */
  readonly apart: readonly Variant[];
  /** Each plan with what earlier iterations have of it, null where nothing is left; asks before paid runs are made again. */
  readonly takeUp: (plans: readonly Plan[]) => Promise<readonly (Plan | null)[]>;
  /** Where these plans will run; nothing is prepared before the first trial. */
  readonly grounds: (plans: readonly GroundOf[]) => Grounds;
  /** Refuses what cannot work, and skills that nobody trusts, before anything is paid for. */
  readonly preflight: (plans: readonly Plan[]) => Promise<void>;
  readonly iterating: Iterating;
  readonly pace: Pace;
  readonly summarizing: Summarizing;
  /** How many iterations are open at the same time; their trials take turns. */
  readonly iterationsAtOnce: number;
  /** Runs one after the other what must not overlap, in order of call. */
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Trials that are made ready or captured while others have the agents' slots: as many as may end at once, in reason. */
const MOST_AHEAD = 8;

export function openEngine(request: EvaluationRequest, signal: AbortSignal): Engine {
  const { machine, config, options, results, mask, bench } = request;
  const survey = surveyMachine(machine, { options, config, own: request.own ?? null, signal });
  const triggerRuns = triggerRunsOf(options, request.defaultRuns.trigger);
  const rounds = roundsOf(request, triggerRuns);
  const planning = planRequest(request, {
    variants: request.variants,
    defaultRuns: request.defaultRuns,
    hidden: request.hidden ?? [],
    // It may have to be fetched, so it is looked up once per skill.
    olderVersion: memo(bench?.olderVersion ?? (async () => null), ({ file }) => file),
    versions: request.own === undefined ? [] : [request.own],
    firstRuns: (suite) => rounds?.first(suite),
    mostTriggerRuns: triggerRuns.most,
  });
  const { concurrency } = planning;
  const pace = request.control?.pace ?? createPace(concurrency);
  const slot = slots({ count: () => pace.agents, onChange: (listener) => pace.onChange(listener) });
  const hearers = [
    (event: EvalEvent, iteration: Iteration) => request.reporter.event(event, iteration),
    (event: EvalEvent, iteration: Iteration) => request.control?.listen(event, iteration, results),
    ...(request.failFast === true ? [failFast(pace, { options, note: machine.note })] : []),
  ];
  // Who waits for an agent's slot while nothing starts must hear that the call ends.
  signal.addEventListener("abort", () => pace.stop(null), { once: true });
  const told: AsJson<RunOptions> = options;
  const iterating: Iterating = {
    purpose: request.purpose,
    results,
    resume: options.resume || options.retryErrors,
    options: {
      ...told,
      triggerRuns: { ...triggerRuns },
      ...(request.lastFailed === true && { lastFailed: true }),
    },
    version: VERSION,
    comparing: bench ?? null,
    skillPath: bench?.skillPath ?? null,
    skillHome: request.own?.root ?? null,
    graded: ({ suite }) => request.graded(suite),
    grade: request.grade,
    connect: request.connect,
    mask,
    executor: executorNamed("local", { concurrency, pace, ahead: Math.min(concurrency, MOST_AHEAD) }),
    rounds,
    planAgain: (plan, runsOf) => planAgain(plan, runsOf, planning),
    listen: (event, iteration) => {
      for (const hear of hearers) hear(event, iteration);
    },
    note: machine.note,
    now: machine.now,
  };
  return {
    machine,
    survey,
    planning,
    takeUp: (plans) =>
      takeUpEarlier(plans, { options, lastFailed: request.lastFailed ?? false, iterating, machine }),
    apart: bench?.apart ?? [],
    grounds: (plans) => new Grounds(plans, { machine, survey, slot }),
    preflight: async (plans) => {
      await askForSkills(plans, { trust: options.trust, machine });
      await request.preflight?.(plans, { concurrency, survey });
    },
    iterating,
    pace,
    summarizing: { ...options, mask, gates: bench?.gates ?? null },
    iterationsAtOnce: concurrency,
    inTurn: turns(),
  };
}

function roundsOf(
  { bench, options, rounds }: EvaluationRequest,
  { first, most }: TriggerRuns,
): Rounds | null {
  const { retryErrors, triggerThreshold } = options;
  if (bench !== undefined) return retryErrors ? null : bench.rounds;
  if (rounds !== undefined) return retryErrors ? null : rounds;
  // What was left out is run as it was planned then, repeats included.
  return triggerRounds({ first: retryErrors ? most : first, most }, triggerThreshold);
}

function executorNamed(name: string, options: ExecutorOptions): Executor {
  const found = executors.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no executor ${name}`);
  return found.create(options);
}
