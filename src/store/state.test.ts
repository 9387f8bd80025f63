import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import type { EvalEvent } from "../domain/event.ts";
import type { Trial } from "../domain/trial.ts";
import { at, finished, sampleCase, sampleGrading, sampleIteration, sampleTrial } from "./fixtures/samples.ts";
import { trialRef } from "./journal.ts";
import { remainingTrials, replay, ungradedRuns } from "./state.ts";

const one = sampleTrial({ repetition: 1, key: "k1" });
const two = sampleTrial({ repetition: 2, key: "k2" });
const three = sampleTrial({ repetition: 3, key: "k3" });
const limited = { outcome: leftOut("rate-limit", "429") } as const;

function started(trials: readonly Trial[], resumed = false): EvalEvent {
  return at({
    kind: "iteration-started",
    iteration: sampleIteration(),
    cases: [sampleCase()],
    trials,
    resumed,
  });
}

function graded(trial: Trial, judgeModel = "judge"): EvalEvent {
  return at({ kind: "verdicts-recorded", trial, grading: sampleGrading({ trialId: trial.id, judgeModel }) });
}

describe("replay", () => {
  it("of nothing is an iteration that never started", () => {
    expect(replay([])).toMatchObject({ iteration: null, trials: [], ended: null });
  });

  it("tells finished, left-out, crashed and unstarted trials apart", () => {
    const state = replay([
      started([one, two, three]),
      at({ kind: "trial-started", trial: one, attempt: 1 }),
      at({ kind: "trial-started", trial: two, attempt: 1 }),
      finished(one),
      finished(two, limited),
      at({ kind: "trial-started", trial: three, attempt: 1 }),
    ]);
    expect([...state.runs.keys()]).toEqual([one.id, two.id]);
    expect([...state.committed.keys()]).toEqual([trialRef(one)]);
    expect(remainingTrials(state.trials, state)).toEqual([two, three]);
    expect(Object.fromEntries(state.attempts)).toEqual({ [one.id]: 1, [two.id]: 1, [three.id]: 1 });
    expect(state.ended).toBeNull();
  });

  it.each([
    ["completed", { status: "completed" }, true],
    ["timed-out", { status: "timed-out", afterMs: 1 }, true],
    ["crashed", { status: "crashed", message: "x" }, true],
    ["interrupted", leftOut("interrupted", "x"), false],
    ["invalid", leftOut("invalid", "x"), false],
  ] as const)("counts a %s run as finished: %s", (_, outcome, done) => {
    const state = replay([started([one]), finished(one, { outcome })]);
    expect(remainingTrials([one], state)).toEqual(done ? [] : [one]);
  });

  it("keeps each case as its runs were made by, whatever a later grading holds them to", () => {
    const [asRun, later] = ["as run", "changed since"].map((name) => sampleCase({ name }));
    const start = (one = sampleCase()) => ({ ...started([two]), cases: [one] }) as EvalEvent;
    const state = replay([start(asRun), finished(two), start(later), graded(two)]);
    expect(state.cases).toEqual([later]);
    expect([...state.casesAsRun.values()]).toEqual([asRun]);
  });

  it("holds the last attempt of a left-out trial, but the first that counts", () => {
    const events = [started([one]), finished(one, limited, 1), finished(one, limited, 2)];
    expect(replay(events).runs.get(one.id)?.attempt).toBe(2);
    expect(replay([...events, finished(one, {}, 3), finished(one, {}, 4)]).runs.get(one.id)?.attempt).toBe(3);
  });

  it("runs again what was changed, and nothing else", () => {
    const changed = { ...two, key: "k2-new-prompt" };
    const state = replay([started([one, two]), finished(one), finished(two), started([one, changed], true)]);
    expect(remainingTrials(state.trials, state)).toEqual([changed]);
    expect([...state.runs.keys()]).toEqual([one.id]);
  });

  it("keeps the last grading, and drops one that belongs to an earlier attempt", () => {
    const state = replay([
      started([one, two]),
      finished(one),
      graded(one, "first"),
      graded(one, "again"),
      finished(two, limited),
      graded(two),
      finished(two),
    ]);
    expect(state.gradings.get(one.id)?.judgeModel).toBe("again");
    expect(ungradedRuns(state).map(({ trial }) => trial)).toEqual([two]);
  });

  it("does not ask to grade what was left out", () => {
    expect(ungradedRuns(replay([started([one]), finished(one, limited)]))).toEqual([]);
  });

  it("says how it ended, until somebody takes it up again", () => {
    const ended = [started([one]), at({ kind: "iteration-finished", ended: "interrupted" })];
    expect(replay(ended).ended).toBe("interrupted");
    expect(replay([...ended, started([one], true)]).ended).toBeNull();
  });

  it("knows the folders in use", () => {
    const query = sampleTrial({ caseId: "q" });
    const queryDone = { ...finished(query), folder: "triggers/q004/with_skill/run-1" } as EvalEvent;
    expect(Object.fromEntries(replay([started([one, query]), finished(one), queryDone]).caseFolders)).toEqual(
      {
        1: "eval-1",
        q: "triggers/q004",
      },
    );
  });

  it("collects notes and skips live progress", () => {
    const note = at({ kind: "note", code: "a/b", message: "m", trialId: null });
    const event = { index: 0, turn: 1, agent: null, kind: "thinking", text: "" } as const;
    const state = replay([note, at({ kind: "trial-progress", trialId: one.id, event })]);
    expect(state.notes).toEqual([note]);
  });
});
