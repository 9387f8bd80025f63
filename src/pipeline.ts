import type { IterationEnd } from "./domain/event.ts";
import type { Plan } from "./domain/plan.ts";
import type { Suite } from "./domain/suite.ts";
import { UserError } from "./domain/user-error.ts";
import { type Engine, openEngine, type EvaluationRequest } from "./engine/engine.ts";
import type { Grounds, HeldGround } from "./engine/grounds.ts";
import { planSuites } from "./engine/plan-suites.ts";
import { beginIteration, iterate, type Worked } from "./iteration/iterate.ts";
import { summarizeIteration } from "./iteration/summarize.ts";
import { mapConcurrently } from "./lib/concurrent.ts";
import type { IterationReport } from "./report/reporter.ts";

/** What became of the suites: a report for each iteration, in the order of the plans. */
export interface Evaluation {
  readonly reports: readonly IterationReport[];
  readonly ended: IterationEnd;
  /** Iterations that a mistake of ours, or of the machine's, kept from ending; the others are not touched by it. */
  readonly failures: readonly IterationFailure[];
}

export interface IterationFailure {
  readonly suite: string;
  readonly harness: string;
  readonly model: string | null;
  readonly error: unknown;
}

/**
 * The spine: suites into plans, plans into runs and verdicts, verdicts into summaries, summaries to whoever listens. Loading
 * comes before it (`engine/load-suites.ts`). All trials of all plans share one executor; each iteration is summarized when
 * its last trial is in.
 */
export async function evaluateSuites(
  suites: readonly Suite[],
  request: EvaluationRequest,
  signal: AbortSignal,
): Promise<Evaluation> {
  const engine = openEngine(request);
  const planned = await planAll(suites, engine);
  if (planned.length === 0 && suites.length > 0) throw nothingSelected(suites);
  await using grounds = engine.grounds(planned.map(({ plan }) => plan));
  const underWay: UnderWay = new Map();
  const results = await mapConcurrently(planned, engine.iterationsAtOnce, (one) =>
    runOne(one, { engine, grounds, underWay }, signal).catch((error: unknown) =>
      failureOf(one.plan, error, planned.length),
    ),
  );
  const reports = results.flatMap((one) => ("report" in one ? one.report : []));
  await request.reporter.finish(reports);
  return {
    reports,
    ended: results.some((one) => "ended" in one && one.ended === "interrupted") ? "interrupted" : "complete",
    failures: results.flatMap((one) => ("error" in one ? one : [])),
  };
}

interface Planned {
  readonly plan: Plan;
  /** Its summary looks at what this one did; null: it is summed up by itself. */
  readonly after: Plan | null;
}

/** Arms that are compared with those of another iteration come behind all of those, so that none waits for a later one. */
async function planAll(suites: readonly Suite[], engine: Engine): Promise<readonly Planned[]> {
  const { planning, apart, takeUp } = engine;
  const plans = await planSuites(suites, planning, engine);
  const further =
    apart.length === 0 ? [] : await planSuites(suites, { ...planning, variants: apart }, engine);
  const taken = await takeUp([...plans, ...further].filter(({ trials }) => trials.length > 0));
  const planned = (plan: Plan, after: Plan | undefined): Planned[] => {
    const found = taken.get(plan);
    return found === undefined ? [] : [{ plan: found, after: (after && taken.get(after)) ?? null }];
  };
  return [
    ...plans.flatMap((plan) => planned(plan, undefined)),
    ...further.flatMap((plan, at) => planned(plan, plans[at])),
  ];
}

type UnderWay = Map<Plan, Promise<Worked>>;

type Ended =
  | { readonly ended: IterationEnd; readonly report: IterationReport }
  /** The signal fired before it began. */
  | { readonly ended: "interrupted" };

async function runOne(
  { plan, after }: Planned,
  { engine, grounds, underWay }: { engine: Engine; grounds: Grounds; underWay: UnderWay },
  signal: AbortSignal,
): Promise<Ended> {
  if (signal.aborted) return { ended: "interrupted" };
  await using ground = grounds.hold(plan);
  const working = workOn(plan, { engine, ground }, signal);
  underWay.set(plan, working);
  const worked = await working;
  if (after !== null) await underWay.get(after)?.catch(() => {});
  return { ended: worked.ended, report: await summarizeIteration(worked, engine.summarizing) };
}

async function workOn(
  plan: Plan,
  { engine, ground }: { engine: Engine; ground: HeldGround },
  signal: AbortSignal,
): Promise<Worked> {
  const begun = await engine.inTurn(() => beginIteration(plan, engine.iterating));
  return await iterate(plan, begun, { work: engine.iterating, parts: ground.parts }, signal);
}

/** One of many must not stop the others; the only one is the caller's to hear of. */
function failureOf({ suite, harness, model }: Plan, error: unknown, plans: number): IterationFailure {
  if (plans === 1) throw error;
  return { suite: suite.name, harness, model, error };
}

function nothingSelected(suites: readonly Suite[]): UserError {
  const cases = suites.flatMap((suite) => suite.cases);
  return new UserError(
    "run/nothing-selected",
    cases.length === 0
      ? "there is nothing to run: no cases were found"
      : `none of the ${cases.length} cases was selected`,
    {
      hint:
        cases.length === 0
          ? "name a skill that has eval files; assay check says what was found"
          : "look at --case, --filter, --mode and --shard; assay list --cases shows the ids",
    },
  );
}
