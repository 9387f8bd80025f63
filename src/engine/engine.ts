import type { Grading } from "../domain/grading.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Plan } from "../domain/plan.ts";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import type { Variant } from "../domain/trial.ts";
import type { Subject } from "../grade/subject.ts";
import type { Comparing, Iterating } from "../iteration/iterate.ts";
import { type Rounds, triggerRounds } from "../iteration/rounds.ts";
import type { Summarizing } from "../iteration/summarize.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { slots } from "../lib/slots.ts";
import type { Machine } from "../machine.ts";
import type { GateSource } from "../report/gates.ts";
import type { Reporter } from "../report/reporter.ts";
import type { Executor } from "../run/executor.ts";
import { executors } from "../run/executors/index.ts";
import { defaultConcurrency, machineCapacity } from "../run/executors/local.ts";
import type { Config } from "./config.ts";
import { type GroundOf, Grounds } from "./grounds.ts";
import type { Services } from "./models/services.ts";
import type { Preflight } from "./preflight/preflight.ts";
import { planAgain, type PlanRequest } from "./plan-suites.ts";
import type { RunOptions } from "./run-options.ts";
import { takeUpEarlier } from "./take-up.ts";
import { type Survey, surveyMachine } from "./survey.ts";
import { VERSION } from "./version.ts";

/** What a caller wants evaluated, and by which parts. Operations build one and pass what differs. */
export interface EvaluationRequest {
  readonly machine: Machine;
  readonly config: Config;
  readonly options: RunOptions;
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
  /** The plans with what earlier iterations have of them; asks before paid runs are made again. */
  readonly takeUp: (plans: readonly Plan[]) => Promise<ReadonlyMap<Plan, Plan>>;
  /** Where these plans will run; nothing is prepared before the first trial. */
  readonly grounds: (plans: readonly GroundOf[]) => Grounds;
  /** Refuses what cannot work before anything is paid for. */
  readonly preflight: (plans: readonly Plan[]) => Promise<void>;
  readonly iterating: Iterating;
  readonly summarizing: Summarizing;
  /** How many iterations are open at the same time; their trials take turns. */
  readonly iterationsAtOnce: number;
  /** Runs one after the other what must not overlap, in order of call. */
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Trials that are made ready or captured while others have the agents' slots: as many as may end at once, in reason. */
const MOST_AHEAD = 8;

export function openEngine(request: EvaluationRequest): Engine {
  const { machine, config, options, results, mask, bench } = request;
  const concurrency = options.concurrency ?? defaultConcurrency(machineCapacity());
  const survey = surveyMachine(machine, { options, config, own: request.own ?? null });
  const slot = slots(concurrency);
  const rounds = roundsOf(request);
  const planning: PlanRequest = {
    options,
    variants: request.variants,
    defaultRuns: request.defaultRuns,
    results,
    concurrency,
    hidden: request.hidden ?? [],
    olderVersion: once(bench?.olderVersion ?? (async () => null)),
    versions: request.own === undefined ? [] : [request.own],
    firstRuns: (suite) => rounds?.first(suite),
  };
  const iterating: Iterating = {
    results,
    resume: options.resume || options.retryErrors,
    options: options as unknown as JsonObject,
    version: VERSION,
    comparing: bench ?? null,
    skillPath: bench?.skillPath ?? null,
    skillHome: request.own?.root ?? null,
    graded: ({ suite }) => request.graded(suite),
    grade: request.grade,
    connect: request.connect,
    mask,
    executor: executorNamed("local", concurrency + Math.min(concurrency, MOST_AHEAD)),
    rounds,
    planAgain: (plan, runsOf) => planAgain(plan, runsOf, planning),
    listen: (event, iteration) => request.reporter.event(event, iteration),
    note: machine.note,
    now: machine.now,
  };
  return {
    machine,
    survey,
    planning,
    takeUp: (plans) => takeUpEarlier(plans, { options, iterating, machine }),
    apart: bench?.apart ?? [],
    grounds: (plans) => new Grounds(plans, { machine, survey, slot }),
    preflight: async (plans) => request.preflight?.(plans, concurrency),
    iterating,
    summarizing: { ...options, mask, gates: bench?.gates ?? null },
    iterationsAtOnce: concurrency,
    inTurn: queue(),
  };
}

function roundsOf({ bench, options, defaultRuns }: EvaluationRequest): Rounds | null {
  // What was left out is run as it was planned then.
  if (options.retryErrors) return null;
  if (bench !== undefined) return bench.rounds;
  return options.adaptive
    ? triggerRounds({ runs: options.runs ?? defaultRuns.trigger, threshold: options.triggerThreshold })
    : null;
}

/** Another version may have to be fetched, so it is looked up once per skill. */
function once(find: (skill: Skill) => Promise<Skill | null>): (skill: Skill) => Promise<Skill | null> {
  const found = new Map<string, Promise<Skill | null>>();
  return (skill) => {
    const known = found.get(skill.file) ?? find(skill);
    found.set(skill.file, known);
    return known;
  };
}

function executorNamed(name: string, concurrency: number): Executor {
  const found = executors.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no executor ${name}`);
  return found.create({ concurrency });
}

function queue(): Engine["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act, act);
    last = mine.catch(() => {});
    return mine;
  };
}
