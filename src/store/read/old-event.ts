import type { EvalEvent } from "../../domain/event.ts";
import { leftOut } from "../../domain/left-out.ts";
import { countsAs, type LeftOut, type Outcome, type Run } from "../../domain/run.ts";
import { withPurpose } from "./old-iteration.ts";

/** An event with every field of today. Journals written before a field came keep what they know of it in notes, or not at all. */
export function withEveryField(event: EvalEvent): EvalEvent {
  switch (event.kind) {
    case "trial-finished":
      return isOfToday(event.run) ? event : { ...event, run: completeRun(event.run) };
    case "iteration-started":
      return { ...event, iteration: withPurpose(event.iteration) };
    default:
      return event;
  }
}

/** Nearly every run is, and one that is copied takes longer to make, to read and to hold. */
function isOfToday(run: Run): boolean {
  return GROWN.every((field) => run[field] !== undefined) && completeOutcome(run.outcome) === run.outcome;
}

const GROWN = [
  "trespasses",
  "agentTime",
  "skillEdits",
  "output",
  "reusedFrom",
  "sent",
  "teardownProblem",
] as const satisfies readonly (keyof Run)[];
type Grown = (typeof GROWN)[number];

/** Newer fields hold even where they are null; only a run that lacks them is read by its notes. */
function completeRun(run: Omit<Run, Grown> & Partial<Pick<Run, Grown>>): Run {
  return { ...fromNotes(run.notes), ...run, outcome: completeOutcome(run.outcome) };
}

function fromNotes(notes: readonly string[]): Pick<Run, Grown> {
  const missing = afterWords(notes, "no output: ");
  return {
    trespasses: [],
    agentTime: null,
    sent: null,
    teardownProblem: notes.find((note) => note.startsWith("the teardown script ")) ?? null,
    skillEdits: afterWords(notes, "the run changed the skill under test: ")?.split(", ") ?? [],
    output: missing === null ? null : { status: "missing", reason: missing },
    reusedFrom: afterWords(notes, "reused from "),
  };
}

function completeOutcome(outcome: Outcome): Outcome {
  if (countsAs(outcome) !== "left-out" || "mayPass" in outcome) return outcome;
  const { status, message } = outcome as Outcome as LeftOut;
  return leftOut(status, message);
}

function afterWords(notes: readonly string[], words: string): string | null {
  return notes.find((note) => note.startsWith(words))?.slice(words.length) ?? null;
}
