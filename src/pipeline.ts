import { randomBytes } from "node:crypto";
import type { IterationEnd } from "./domain/event.ts";
import type { Plan } from "./domain/plan.ts";
import type { Suite } from "./domain/suite.ts";
import { type Engine, openEngine, type EvaluationRequest } from "./engine/engine.ts";
import type { Grounds, HeldGround } from "./engine/grounds.ts";
import { planSuites } from "./engine/plan-suites.ts";
import { beginIteration, iterate, type Worked } from "./iteration/iterate.ts";
import { summarizeIteration } from "./iteration/summarize.ts";
import { mapConcurrently } from "./lib/concurrent.ts";
import type { IterationName, IterationReport } from "./report/reporter.ts";
import { nothingSelected } from "./engine/nothing-selected.ts";

/** What became of the suites: a report for each iteration, in the order of the plans. */
export interface Evaluation {
  readonly reports: readonly IterationReport[];
  readonly ended: IterationEnd;
  /** What kept trials from being started, where nothing interrupted the call. Absent: nothing did. */
  readonly stoppedBy?: "control" | "failure";
  /** Iterations that a mistake of ours, or of the machine's, kept from ending; the others are not touched by it. */
  readonly failures: readonly IterationFailure[];
}

export interface IterationFailure extends IterationName {
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
  caller: AbortSignal,
): Promise<Evaluation> {
  const { control } = request;
  const signal = control === undefined ? caller : AbortSignal.any([caller, control.signal]);
  const engine = openEngine(request, signal);
  const planned = await unlessStopped(signal, async () => {
    const all = await planAll(suites, engine);
    if (all.length === 0 && suites.length > 0) throw nothingSelected(suites);
    await request.inspect?.(all.map(({ plan }) => plan));
    await engine.preflight(all.map(({ plan }) => plan));
    return all;
  });
  if (planned === null) return { reports: [], ended: "interrupted", failures: [] };
  await using grounds = engine.grounds(planned.map(({ plan }) => plan));
  const worked: Promise<Worked>[] = [];
  const group = planned.length > 1 ? `run-${randomBytes(6).toString("hex")}` : null;
  const results = await mapConcurrently(planned, engine.iterationsAtOnce, (one, at) =>
    runOne(one, { engine, grounds, group, worked, at }, signal).catch((error: unknown) => ({
      ...nameOf(one.plan),
      error,
    })),
  );
  const failures = results.flatMap((one) => ("error" in one ? one : []));
  if (failures.length === planned.length && isOneCause(failures)) throw failures[0]?.error;
  const reports = results.flatMap((one) => ("report" in one ? one.report : []));
  const notBegun = results.flatMap((one) => ("notBegun" in one ? one.notBegun : []));
  await request.reporter.finish(reports, { failures: failures.map(withMessage), notBegun });
  const isInterrupted =
    notBegun.length > 0 || results.some((one) => "ended" in one && one.ended === "interrupted");
  if (!isInterrupted) return { reports, ended: "complete", failures };
  const stoppedBy = caller.aborted ? null : engine.pace.stoppedBy;
  return { reports, ended: "interrupted", failures, ...(stoppedBy !== null && { stoppedBy }) };
}

/** The plans that `evaluateSuites` would work through; nothing is begun. Throws a UserError where there are none. */
export async function planOnly(
  suites: readonly Suite[],
  request: EvaluationRequest,
  signal: AbortSignal,
): Promise<readonly Plan[]> {
  const planned = await planAll(suites, openEngine(request, signal));
  if (planned.length === 0 && suites.length > 0) throw nothingSelected(suites);
  return planned.map(({ plan }) => plan);
}

/** Whatever a stopped call throws, it was stopped; null. */
async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

interface Planned {
  readonly plan: Plan;
  /** Its summary looks at what the one at this place did; null: it is summed up by itself. */
  readonly after: number | null;
}

/** Arms that are compared with those of another iteration come behind all of those, so that none waits for a later one. */
async function planAll(suites: readonly Suite[], engine: Engine): Promise<readonly Planned[]> {
  const { planning, apart, takeUp } = engine;
  const plans = await planSuites(suites, planning, engine);
  const further =
    apart.length === 0 ? [] : await planSuites(suites, { ...planning, variants: apart }, engine);
  const taken = await takeUp([...plans, ...further]);
  const planned: Planned[] = [];
  const add = (plan: Plan | null, after: number | null) =>
    plan === null ? null : planned.push({ plan, after }) - 1;
  const places = taken.slice(0, plans.length).map((plan) => add(plan, null));
  for (const [at, plan] of taken.slice(plans.length).entries()) add(plan, places[at] ?? null);
  return planned;
}

type Ended =
  | { readonly ended: IterationEnd; readonly report: IterationReport }
  /** The signal fired before it began. */
  | { readonly notBegun: IterationName };

interface Around {
  readonly engine: Engine;
  readonly grounds: Grounds;
  /** Joins the iterations of the call; null for one alone. */
  readonly group: string | null;
  /** What is being worked on, by its place among the plans. */
  readonly worked: Promise<Worked>[];
  readonly at: number;
}

async function runOne(
  { plan, after }: Planned,
  { engine, grounds, group, worked, at }: Around,
  signal: AbortSignal,
): Promise<Ended> {
  if (signal.aborted || engine.pace.state === "stopping") return { notBegun: nameOf(plan) };
  await using ground = grounds.hold(plan);
  const working = workOn(plan, { engine, ground, group }, signal);
  worked[at] = working;
  const { folder, ended } = await working;
  if (after !== null) await worked[after]?.catch(() => {});
  return { ended, report: await summarizeIteration({ folder }, engine.summarizing) };
}

async function workOn(
  plan: Plan,
  { engine, ground, group }: { engine: Engine; ground: HeldGround; group: string | null },
  signal: AbortSignal,
): Promise<Worked> {
  if (!engine.iterating.resume) {
    // Nothing is begun on a ground that cannot be had; one that is resumed may have nothing left to run on it.
    ground.parts().catch(() => {});
    await ground.usable();
  }
  const begun = await engine.inTurn(() => beginIteration(plan, engine.iterating, group));
  return await iterate(plan, begun, { work: engine.iterating, parts: ground.parts }, signal);
}

/** What keeps all of them from running is the caller's to hear of, once. */
function isOneCause(failures: readonly IterationFailure[]): boolean {
  const messages = new Set(failures.map(({ error }) => messageOf(error)));
  return messages.size === 1;
}

function withMessage({ error, ...name }: IterationFailure): IterationName & { readonly message: string } {
  return { ...name, message: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nameOf({ suite, harness, model }: Plan): IterationName {
  return { suite: suite.name, harness, model };
}
