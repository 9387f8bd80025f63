import { setTimeout as sleep } from "node:timers/promises";
import type { EvalEvent } from "../../domain/event.ts";
import type { IterationAddress, IterationProgress, LiveCall, LiveState } from "../../domain/pages.ts";
import { countsAs, type Outcome, UNKNOWN_USAGE } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import { readJournalFrom } from "../../store/journal.ts";
import type { IterationFolder } from "../../store/layout.ts";
import { progressOf } from "./progress.ts";
import { callAtWork } from "./steer.ts";
import { verdictLetters } from "./verdict-letters.ts";

/** How an iteration stands, told whenever that changes, until nobody is at work on it or the signal fires. */
export async function* liveStates(
  at: IterationAddress,
  folder: IterationFolder,
  { signal, results }: { readonly signal: AbortSignal; readonly results: string },
): AsyncGenerator<LiveState> {
  const tally = new Tally();
  let from = 0;
  let told = "";
  while (!signal.aborted) {
    const progress = await progressOf(folder);
    const { events, end } = await readJournalFrom(folder.journal, from);
    from = end;
    for (const event of events) tally.hear(event);
    const call = progress === "running" ? await callAtWork(folder, results) : null;
    const state = tally.state(at, { progress, call });
    const text = JSON.stringify(state);
    if (text !== told) yield state;
    told = text;
    if (progress !== "running") return;
    await sleep(LOOK_MS, null, { signal }).catch(() => null);
  }
}

const LOOK_MS = 400;
const MOST_ENDED = 30;

/** What a journal has said so far. */
class Tally {
  #planned: readonly string[] = [];
  readonly #running = new Map<string, string>();
  readonly #ended = new Map<string, Outcome>();
  readonly #verdicts = new Map<string, string>();
  #usage = UNKNOWN_USAGE;
  readonly #notes: string[] = [];

  hear(event: EvalEvent): void {
    switch (event.kind) {
      case "iteration-started":
        this.#planned = event.trials.map(({ id }) => id);
        this.#running.clear();
        break;
      case "trial-started":
        this.#running.set(event.trial.id, event.at);
        break;
      case "trial-finished":
        this.#running.delete(event.trial.id);
        this.#ended.delete(event.trial.id);
        this.#ended.set(event.trial.id, event.run.outcome);
        if (event.run.reusedFrom === null) this.#usage = addUsage(this.#usage, event.run.usage);
        break;
      case "verdicts-recorded":
        this.#verdicts.set(event.trial.id, [...verdictLetters(event.grading).values()].join(""));
        break;
      case "note":
        this.#notes.push(event.message);
        break;
      default:
        break;
    }
  }

  state(
    at: IterationAddress,
    { progress, call }: { readonly progress: IterationProgress; readonly call: LiveCall | null },
  ): LiveState {
    const outcomes = [...this.#ended.values()];
    const ended = [...this.#ended].toReversed().slice(0, MOST_ENDED);
    const running = progress === "running" ? [...this.#running] : [];
    return {
      at,
      progress,
      planned: this.#planned.length,
      finished: this.#planned.filter((id) => this.#ended.has(id)).length,
      graded: this.#verdicts.size,
      leftOut: outcomes.filter((outcome) => countsAs(outcome) === "left-out").length,
      running: running.map(([trial, startedAt]) => ({ trial, startedAt })),
      ended: ended.map(([trial, { status }]) => ({
        trial,
        status,
        verdicts: this.#verdicts.get(trial) ?? "",
      })),
      usage: this.#usage,
      notes: this.#notes,
      call,
    };
  }
}
