import type { EvalEvent, EventOf, ServiceLimit } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import { countsAs } from "../../domain/run.ts";
import type { RunState } from "../../domain/run-state.ts";
import type { AboutToRun } from "../../machine.ts";
import { isHeld } from "../../operations/reporters.ts";
import { printable } from "../../operations/text.ts";
import { aboutToRunText } from "../render/about-to-run.ts";
import { IterationTally } from "./iteration-tally.ts";
import { toolSubject } from "./tool-subject.ts";

/** A trial at work, as a person who watches wants to know of it. */
export interface RunningTrial {
  readonly name: string;
  readonly startedMs: number;
  readonly step: TrialStep;
}

export type TrialStep =
  | { readonly kind: "starting" | "thinking" | "grading" }
  | { readonly kind: "tool"; readonly tool: string; readonly about: string }
  | { readonly kind: "waiting"; readonly untilMs: number; readonly attempt: number; readonly reason: string };

/** What was spent, and the cap; null: there is none. */
interface Spent {
  readonly costUsd: number;
  readonly maxCostUsd: number | null;
}

/** What is going on, from events alone. Times are those of the events. */
export class Running {
  readonly #iterations = new Map<string, IterationTally>();
  readonly #trials = new Map<string, RunningTrial>();
  /** Trials that are made ready while others have the agents' slots. */
  readonly #prepared = new Set<string>();
  /** Trials whose agents got a slot: only what those take tells how long others will. */
  readonly #admitted = new Set<string>();
  #about: AboutToRun | null = null;
  #pace: EventOf<"pace-changed"> | null = null;
  #agentsUsd: number | null = null;
  #budget: Spent | null = null;
  #tokens: EventOf<"tokens-used"> | null = null;
  #limits: { readonly at: number; readonly of: Readonly<Record<string, ServiceLimit>> } | null = null;
  #tookMs = 0;
  #taken = 0;

  /** What was said before the first trial. */
  expect(about: AboutToRun): void {
    this.#about = about;
  }

  hear(event: EvalEvent, iteration: Iteration): void {
    const at = Date.parse(event.at);
    switch (event.kind) {
      case "iteration-started":
        this.#begin(event);
        break;
      case "trial-started":
        this.#prepare(event.trial.id, iteration);
        break;
      case "agent-started":
        this.#admit(event.trialId, iteration, at);
        break;
      case "trial-progress":
        this.#hearAgent(event, iteration, at);
        break;
      case "trial-waiting":
        this.#wait(event, iteration, at);
        break;
      case "trial-finished":
        this.#finish(event, iteration, at);
        break;
      case "verdicts-recorded":
        this.#grade(event, iteration, at);
        break;
      case "services-limited":
        this.#limits = { at, of: event.limits };
        break;
      case "money-spent":
        this.#budget = event;
        break;
      case "tokens-used":
        this.#tokens = event;
        break;
      case "pace-changed":
        this.#pace = event;
        break;
      case "iteration-finished":
        this.#tally(iteration).isEnded = true;
        break;
      case "note":
        break;
    }
  }

  /** What was said before the first trial, in lines; of what costs nothing, that was the skill and the agent. */
  get header(): readonly string[] {
    if (this.#about !== null) {
      const concurrency = this.#pace?.concurrency ?? this.#about.concurrency;
      return aboutToRunText({ ...this.#about, concurrency })
        .trimEnd()
        .split("\n");
    }
    const named = (of: (tally: IterationTally) => string) =>
      [...new Set([...this.#iterations.values()].map(of))].join(", ");
    return [printable(`${named(({ suite }) => suite)} with ${named(({ harness }) => harness)}`)];
  }

  /** Whether new trials start. */
  get state(): RunState {
    return this.#pace?.state ?? "running";
  }

  /** How many trials may run at once by now; null: as was said before the first one. */
  get newConcurrency(): number | null {
    const { concurrency } = this.#pace ?? {};
    return concurrency === undefined || concurrency === this.#about?.concurrency ? null : concurrency;
  }

  /** The longest at work first: those whose agents have a slot, are graded or are tried again. */
  get trials(): readonly RunningTrial[] {
    return [...this.#trials.values()].toSorted((a, b) => a.startedMs - b.startedMs);
  }

  /** How many are made ready and have no agent yet. */
  get prepared(): number {
    return this.#prepared.size;
  }

  get counts(): { readonly done: number; readonly planned: number; readonly failed: number } {
    const all = [...this.#iterations.values()];
    const sum = (of: (tally: IterationTally) => number) => all.reduce((total, tally) => total + of(tally), 0);
    const done = sum((tally) => tally.done.size);
    // Of a resumed iteration only the rest is run, and only what was said before knows how much that is.
    const isWhole = all.every(({ isResumed }) => !isResumed);
    const planned = isWhole || this.#about === null ? sum((tally) => tally.planned.size) : this.#about.trials;
    return { done, planned: Math.max(planned, done), failed: sum(({ failed }) => failed.size) };
  }

  /** Null: nothing is known of money. */
  get spent(): Spent | null {
    if (this.#budget !== null) return this.#budget;
    return this.#agentsUsd === null ? null : { costUsd: this.#agentsUsd, maxCostUsd: null };
  }

  /** Null: they are not limited. */
  get tokens(): { readonly tokens: number; readonly maxTokens: number } | null {
    return this.#tokens;
  }

  /** What services hold back, with the pauses that are left. */
  limits(nowMs: number): Readonly<Record<string, ServiceLimit>> {
    if (this.#limits === null) return {};
    const { at, of } = this.#limits;
    return Object.fromEntries(
      Object.entries(of).map(([name, limit]) => [
        name,
        { ...limit, pausedMs: Math.max(0, limit.pausedMs - (nowMs - at)) },
      ]),
    );
  }

  /** By what trials took here, before that by earlier runs; null: nothing says, or nothing new starts. */
  leftMs(nowMs: number): number | null {
    const { done, planned } = this.counts;
    const eachMs = this.#eachMs();
    if (eachMs === null || this.state !== "running") return null;
    const begun = this.trials.map(({ startedMs }) => Math.min(nowMs - startedMs, eachMs));
    const open = (planned - done) * eachMs - begun.reduce((sum, ms) => sum + ms, 0);
    const paused = Object.values(this.limits(nowMs)).map(({ pausedMs }) => pausedMs);
    const atOnce = this.#pace?.concurrency ?? this.#about?.concurrency ?? this.#trials.size;
    return open / Math.max(1, atOnce) + Math.max(0, ...paused);
  }

  #eachMs(): number | null {
    if (this.#taken > 0) return this.#tookMs / this.#taken;
    const { minutes = null, trials = 0, concurrency = 1 } = this.#about ?? {};
    return minutes === null || trials === 0 ? null : (minutes * 60_000 * concurrency) / trials;
  }

  #begin(event: EventOf<"iteration-started">): void {
    // Another round of an iteration is told like a resumed one.
    const isKnown = this.#iterations.has(keyOf(event.iteration));
    const tally = this.#tally(event.iteration);
    if (!isKnown) tally.isResumed = event.resumed;
    tally.begin(event);
  }

  #prepare(trialId: string, iteration: Iteration): void {
    this.#tally(iteration).open(trialId);
    this.#trials.delete(trialKey(trialId, iteration));
    this.#prepared.add(trialKey(trialId, iteration));
  }

  #admit(trialId: string, iteration: Iteration, at: number): void {
    this.#prepared.delete(trialKey(trialId, iteration));
    this.#admitted.add(trialKey(trialId, iteration));
    this.#step(trialId, iteration, { kind: "starting" }, at);
  }

  #hearAgent({ trialId, event }: EventOf<"trial-progress">, iteration: Iteration, at: number): void {
    if (event.kind === "tool-call")
      this.#step(trialId, iteration, { kind: "tool", tool: event.tool, about: toolSubject(event.input) }, at);
    else if (event.kind === "message" && event.role === "assistant")
      this.#step(trialId, iteration, { kind: "thinking" }, at);
  }

  #wait(
    { trial, waitMs, attempt, reason }: EventOf<"trial-waiting">,
    iteration: Iteration,
    at: number,
  ): void {
    this.#tally(iteration).open(trial.id);
    this.#step(trial.id, iteration, { kind: "waiting", untilMs: at + waitMs, attempt, reason }, at);
  }

  #finish(event: EventOf<"trial-finished">, iteration: Iteration, at: number): void {
    const { trial, run } = event;
    this.#prepared.delete(trialKey(trial.id, iteration));
    this.#spend(run.reusedFrom === null ? run.usage.costUsd : null);
    if (isGradedNext(event, iteration)) this.#step(trial.id, iteration, { kind: "grading" }, at);
    else this.#end(trial.id, iteration, at);
  }

  #grade(event: EventOf<"verdicts-recorded">, iteration: Iteration, at: number): void {
    const { trial, grading } = event;
    this.#spend(grading.usage.costUsd);
    this.#end(trial.id, iteration, at);
    const hasFailed = grading.verdicts.some(({ status }) => status === "failed");
    if (hasFailed && isHeld(trial.variant, iteration)) this.#tally(iteration).failed.add(trial.id);
  }

  #step(trialId: string, iteration: Iteration, step: TrialStep, at: number): void {
    const key = trialKey(trialId, iteration);
    const startedMs = this.#trials.get(key)?.startedMs ?? at;
    this.#trials.set(key, { name: this.#name(trialId, iteration), startedMs, step });
  }

  #end(trialId: string, iteration: Iteration, at: number): void {
    this.#tally(iteration).end(trialId);
    const key = trialKey(trialId, iteration);
    const running = this.#trials.get(key);
    this.#trials.delete(key);
    if (running === undefined || !this.#admitted.delete(key)) return;
    this.#tookMs += at - running.startedMs;
    this.#taken++;
  }

  #spend(costUsd: number | null): void {
    if (costUsd !== null) this.#agentsUsd = (this.#agentsUsd ?? 0) + costUsd;
  }

  #name(trialId: string, iteration: Iteration): string {
    const label = this.#tally(iteration).label(trialId);
    const isAlone = [...this.#iterations.values()].filter(({ isEnded }) => !isEnded).length < 2;
    return isAlone ? label : `${iteration.suite} ${label}`;
  }

  #tally(iteration: Iteration): IterationTally {
    const known = this.#iterations.get(keyOf(iteration));
    if (known !== undefined) return known;
    const fresh = new IterationTally(iteration);
    this.#iterations.set(keyOf(iteration), fresh);
    return fresh;
  }
}

function isGradedNext({ run }: EventOf<"trial-finished">, { options }: Iteration): boolean {
  return countsAs(run.outcome) !== "left-out" && options["grade"] !== false;
}

function trialKey(trialId: string, iteration: Iteration): string {
  return `${keyOf(iteration)} ${trialId}`;
}

function keyOf({ suite, number }: Iteration): string {
  return `${suite}@${number}`;
}
