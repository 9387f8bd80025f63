import type { AlignedSpan, ComparedRun, ComparePage, Divergence } from "../../domain/run-pages.ts";
import { align, type Matches } from "../../lib/align.ts";
import { StepNumbers } from "./step-numbers.ts";
import { readSteps, type RunSteps, stepLabel } from "./steps.ts";
import type { ViewedRun } from "./stored.ts";
import { verdictLetters } from "./verdict-letters.ts";

type Stretch = readonly [from: number, to: number];

/** Two runs step by step, with the first step at which they part. */
export async function comparePage(first: ViewedRun, second: ViewedRun): Promise<ComparePage> {
  const numbers = new StepNumbers();
  const a = await readSteps(first.files.transcript, numbers);
  const b = await readSteps(second.files.transcript, numbers);
  const matches = align(new Int32Array(a.numbers), new Int32Array(b.numbers));
  return {
    a: comparedRun(first, a),
    b: comparedRun(second, b),
    divergence: await divergenceOf(matches, a, b),
    spans: spansOf(matches, a, b),
    suppressed: suppressedIn(matches, a, b),
    equal: matches.length,
  };
}

function comparedRun({ at, finished, within }: ViewedRun, steps: RunSteps): ComparedRun {
  return {
    at,
    status: finished.run.outcome.status,
    verdicts: Object.fromEntries(verdictLetters(within.state.gradings.get(at.trial))),
    steps: steps.events.length,
  };
}

/** Neighbors of one kind are one span. */
function spansOf(matches: Matches, a: RunSteps, b: RunSteps): readonly AlignedSpan[] {
  const spans: AlignedSpan[] = [];
  const add = (kind: AlignedSpan["kind"], inA: Stretch, inB: Stretch) =>
    void spans.push({ kind, a: eventsOf(inA, a), b: eventsOf(inB, b) });
  let [equalA, equalB] = [0, 0];
  let [atA, atB] = [0, 0];
  for (const [here, there] of [...matches, [a.events.length, b.events.length] as const]) {
    if (here > atA || there > atB || here === a.events.length) {
      if (atA > equalA) add("equal", [equalA, atA], [equalB, atB]);
      if (here > atA && there > atB) add("changed", [atA, here], [atB, there]);
      else if (here > atA) add("only-a", [atA, here], [atB, there]);
      else if (there > atB) add("only-b", [atA, here], [atB, there]);
      [equalA, equalB] = [here, there];
    }
    [atA, atB] = [here + 1, there + 1];
  }
  return spans;
}

/** An empty stretch lies where its steps would. */
function eventsOf([from, to]: Stretch, { events }: RunSteps): Stretch {
  const first = events[from] ?? (events.at(-1) ?? -1) + 1;
  return [first, from === to ? first : (events[to - 1] ?? first) + 1];
}

async function divergenceOf(matches: Matches, a: RunSteps, b: RunSteps): Promise<Divergence | null> {
  let at = 0;
  while (matches[at]?.[0] === at && matches[at]?.[1] === at) at++;
  const [here = null, there = null] = [a.events[at], b.events[at]];
  if (here === null && there === null) return null;
  const labels = await Promise.all([a, b].map((steps) => stepLabel(steps, at)));
  const words = labels.map((label) => label ?? "nothing more: it had ended").join(" ↔ ");
  return { a: here, b: there, words: `step ${at + 1}: ${words}` };
}

function suppressedIn(matches: Matches, a: RunSteps, b: RunSteps): number {
  let count = 0;
  for (const [here, there] of matches) {
    const other = b.chance.ends[there - 1] ?? 0;
    const first = a.chance.ends[here - 1] ?? 0;
    const end = a.chance.ends[here] ?? 0;
    for (let at = first; at < end; at++)
      if (a.chance.values[at] !== b.chance.values[other + at - first]) count++;
  }
  return count;
}
