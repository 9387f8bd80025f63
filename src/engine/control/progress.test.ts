import { expect, it } from "vitest";
import type { EventBody } from "../../domain/event.ts";
import { anIteration, aRun } from "../../../test/support/runs.ts";
import { RunProgress } from "./progress.ts";

const AT = "2026-01-15T10:30:00.000Z";
const TRIAL = {
  id: "a/with_skill/run-1",
  key: "k",
  caseId: "a",
  variant: "with_skill",
  repetition: 1,
} as const;

it("takes a trial to be at work from the start of its agent until it ends, not while it is prepared", async () => {
  const progress = new RunProgress({ minPassRate: null, allowMissing: 0 });
  const hear = async (body: EventBody) => {
    progress.hear({ at: AT, ...body }, anIteration(), "/results");
    const [one] = await progress.iterations();
    return { atWork: one?.atWork.map(({ trialId, attempt }) => [trialId, attempt]), done: one?.trials.done };
  };
  await hear({
    kind: "iteration-started",
    iteration: anIteration(),
    cases: [],
    trials: [TRIAL],
    resumed: false,
  });
  expect(await hear({ kind: "trial-started", trial: TRIAL, attempt: 1 })).toEqual({ atWork: [], done: 0 });
  expect(await hear({ kind: "agent-started", trialId: TRIAL.id })).toEqual({
    atWork: [[TRIAL.id, 1]],
    done: 0,
  });
  const finished = { kind: "trial-finished", trial: TRIAL, attempt: 1, run: aRun(), folder: "x" } as const;
  expect(await hear(finished)).toEqual({ atWork: [], done: 1 });
  expect(await hear({ kind: "trial-started", trial: TRIAL, attempt: 2 })).toEqual({ atWork: [], done: 0 });
  expect(await hear({ kind: "agent-started", trialId: TRIAL.id })).toEqual({
    atWork: [[TRIAL.id, 2]],
    done: 0,
  });
});
