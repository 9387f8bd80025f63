import type { EvalEvent, EventOf, ServiceLimit } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import { countsAs } from "../../domain/run.ts";
import type { Json } from "../../domain/json.ts";
import type { Trial } from "../../domain/trial.ts";
import type { AboutToRun } from "../../machine.ts";
import { isHeld } from "../../operations/reporters.ts";
import { printable } from "../../operations/text.ts";
import { aboutToRunText } from "../render/about-to-run.ts";

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

/** What is going on, from events alone. Times are those of the events. */
export class Running {
  readonly #iterations = new Map<string, Known>();
  readonly #trials = new Map<string, RunningTrial>();
  #about: AboutToRun | null = null;
  #agentsUsd: number | null = null;
  #budget: { readonly costUsd: number; readonly maxCostUsd: number | null } | null = null;
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
        this.#open(event.trial, iteration);
        this.#step(event.trial.id, iteration, { kind: "starting" }, at);
        break;
      case "trial-progress":
        this.#hearAgent(event, iteration, at);
        break;
      case "trial-waiting":
        this.#open(event.trial, iteration);
        this.#step(
          event.trial.id,
          iteration,
          { kind: "waiting", untilMs: at + event.waitMs, attempt: event.attempt, reason: event.reason },
          at,
        );
        break;
      case "trial-finished":
        this.#spend(event.run.reusedFrom === null ? event.run.usage.costUsd : null);
        if (isGradedNext(event, iteration)) this.#step(event.trial.id, iteration, { kind: "grading" }, at);
        else this.#end(event.trial, iteration, at);
        break;
      case "verdicts-recorded":
        this.#spend(event.grading.usage.costUsd);
        this.#end(event.trial, iteration, at);
        if (isHeld(event.trial.variant, iteration) && hasFailed(event))
          this.#known(iteration).failed.add(event.trial.id);
        break;
      case "services-limited":
        this.#limits = { at, of: event.limits };
        break;
      case "money-spent":
        this.#budget = event;
        break;
      case "iteration-finished":
        this.#known(iteration).isEnded = true;
        break;
      case "note":
        break;
    }
  }

  /** What was said before the first trial, in lines; of what costs nothing, that was the skill and the agent. */
  get header(): readonly string[] {
    if (this.#about !== null) return aboutToRunText(this.#about).trimEnd().split("\n");
    const named = (of: (known: Known) => string) =>
      [...new Set([...this.#iterations.values()].map(of))].join(", ");
    return [printable(`${named(({ suite }) => suite)} with ${named(({ harness }) => harness)}`)];
  }

  /** The longest at work first; without those that are only made ready while others have the slots. */
  get trials(): readonly RunningTrial[] {
    const slots = this.#about?.concurrency ?? Infinity;
    let taken = 0;
    return [...this.#trials.values()]
      .toSorted((a, b) => a.startedMs - b.startedMs)
      .filter(({ step }) => {
        const isAgents = step.kind !== "grading" && step.kind !== "waiting";
        if (isAgents) taken++;
        return step.kind !== "starting" || taken <= slots;
      });
  }

  get counts(): { readonly done: number; readonly planned: number; readonly failed: number } {
    const all = [...this.#iterations.values()];
    const sum = (of: (known: Known) => number) => all.reduce((total, known) => total + of(known), 0);
    const done = sum(({ done }) => done.size);
    // Of a resumed iteration only the rest is run, and only what was said before knows how much that is.
    const isWhole = all.every(({ resumed }) => !resumed);
    const planned = isWhole || this.#about === null ? sum(({ planned }) => planned.size) : this.#about.trials;
    return { done, planned: Math.max(planned, done), failed: sum(({ failed }) => failed.size) };
  }

  /** Null: nothing is known of money. The cap is null where there is none. */
  get spent(): { readonly costUsd: number; readonly maxCostUsd: number | null } | null {
    if (this.#budget !== null) return this.#budget;
    return this.#agentsUsd === null ? null : { costUsd: this.#agentsUsd, maxCostUsd: null };
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

  /** By what trials took here, before that by earlier runs; null: nothing says. */
  leftMs(nowMs: number): number | null {
    const { done, planned } = this.counts;
    const eachMs = this.#eachMs();
    if (eachMs === null) return null;
    const begun = this.trials.map(({ startedMs }) => Math.min(nowMs - startedMs, eachMs));
    const open = (planned - done) * eachMs - begun.reduce((sum, ms) => sum + ms, 0);
    const paused = Object.values(this.limits(nowMs)).map(({ pausedMs }) => pausedMs);
    return open / Math.max(1, this.#about?.concurrency ?? this.#trials.size) + Math.max(0, ...paused);
  }

  #eachMs(): number | null {
    if (this.#taken > 0) return this.#tookMs / this.#taken;
    const { minutes = null, trials = 0, concurrency = 1 } = this.#about ?? {};
    return minutes === null || trials === 0 ? null : (minutes * 60_000 * concurrency) / trials;
  }

  #begin({ iteration, trials, resumed, cases }: EventOf<"iteration-started">): void {
    // Another round of an iteration is told like a resumed one.
    const isKnown = this.#iterations.has(keyOf(iteration));
    const known = this.#known(iteration);
    if (!isKnown) known.resumed = resumed;
    known.isEnded = false;
    for (const { id, name } of cases) if (name !== null) known.names.set(id, name);
    for (const trial of trials) known.planned.add(trial.id);
    known.label = labels(trials, known.names);
  }

  #hearAgent({ trialId, event }: EventOf<"trial-progress">, iteration: Iteration, at: number): void {
    if (event.kind === "tool-call")
      this.#step(trialId, iteration, { kind: "tool", tool: event.tool, about: aboutInput(event.input) }, at);
    else if (event.kind === "message" && event.role === "assistant")
      this.#step(trialId, iteration, { kind: "thinking" }, at);
  }

  #step(trialId: string, iteration: Iteration, step: TrialStep, at: number): void {
    const key = `${keyOf(iteration)} ${trialId}`;
    const known = this.#trials.get(key);
    const startedMs = known?.startedMs ?? at;
    this.#trials.set(key, { name: this.#name(trialId, iteration), startedMs, step });
  }

  /** Whoever was thought to be done and is tried again is not. */
  #open({ id }: Trial, iteration: Iteration): void {
    const known = this.#known(iteration);
    known.planned.add(id);
    known.done.delete(id);
    known.failed.delete(id);
  }

  #end({ id }: Trial, iteration: Iteration, at: number): void {
    const known = this.#known(iteration);
    known.planned.add(id);
    known.done.add(id);
    const key = `${keyOf(iteration)} ${id}`;
    const running = this.#trials.get(key);
    if (running === undefined) return;
    this.#tookMs += at - running.startedMs;
    this.#taken++;
    this.#trials.delete(key);
  }

  #spend(costUsd: number | null): void {
    if (costUsd !== null) this.#agentsUsd = (this.#agentsUsd ?? 0) + costUsd;
  }

  #name(trialId: string, iteration: Iteration): string {
    const label = this.#known(iteration).label(trialId);
    const isAlone = [...this.#iterations.values()].filter(({ isEnded }) => !isEnded).length < 2;
    return isAlone ? label : `${iteration.suite} ${label}`;
  }

  #known(iteration: Iteration): Known {
    const key = keyOf(iteration);
    const known = this.#iterations.get(key);
    if (known !== undefined) return known;
    const fresh: Known = {
      suite: iteration.suite,
      harness: iteration.harness,
      planned: new Set(),
      done: new Set(),
      failed: new Set(),
      resumed: false,
      isEnded: false,
      names: new Map(),
      label: (trialId) => trialId,
    };
    this.#iterations.set(key, fresh);
    return fresh;
  }
}

interface Known {
  readonly suite: string;
  readonly harness: string;
  readonly planned: Set<string>;
  readonly done: Set<string>;
  readonly names: Map<string, string>;
  readonly failed: Set<string>;
  resumed: boolean;
  isEnded: boolean;
  /** How a trial of it is called. */
  label: (trialId: string) => string;
}

function isGradedNext({ run }: EventOf<"trial-finished">, { options }: Iteration): boolean {
  return countsAs(run.outcome) !== "left-out" && options["grade"] !== false;
}

function hasFailed({ grading }: EventOf<"verdicts-recorded">): boolean {
  return grading.verdicts.some(({ status }) => status === "failed");
}

/** The case, and of the rest what tells its trials apart. */
function labels(trials: readonly Trial[], names: ReadonlyMap<string, string>): (trialId: string) => string {
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const hasArms = new Set(trials.map(({ variant }) => variant)).size > 1;
  const hasRepeats = trials.some(({ repetition }) => repetition > 1);
  return (trialId) => {
    const trial = byId.get(trialId);
    if (trial === undefined) return trialId;
    const name = names.get(trial.caseId);
    return [
      trial.caseId,
      ...(name === undefined || name === trial.caseId ? [] : [name]),
      ...(hasArms ? [trial.variant] : []),
      ...(hasRepeats ? [`run-${trial.repetition}`] : []),
    ].join(" ");
  };
}

/** What a tool was called with, as far as it says something in a line. */
function aboutInput(input: Json): string {
  if (typeof input === "string") return input;
  if (input === null || typeof input !== "object") return "";
  const values = new Map<string, unknown>(Object.entries(input));
  const told = TOLD.map((key) => values.get(key)).find((value) => typeof value === "string");
  return told ?? "";
}

/** What clients call the part of a tool's input that says most. */
const TOLD = [
  "command",
  "cmd",
  "file_path",
  "path",
  "skill",
  "pattern",
  "query",
  "url",
  "name",
  "description",
];

function keyOf({ suite, number }: Iteration): string {
  return `${suite}@${number}`;
}
