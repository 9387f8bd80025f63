import { describe, expect, it } from "vitest";
import type { EvalEvent } from "../../domain/event.ts";
import { leftOut } from "../../domain/left-out.ts";
import type { Run } from "../../domain/run.ts";
import { finished, sampleTrial } from "../fixtures/samples.ts";
import { withEveryField } from "./old-event.ts";

/** As it was written before the fields came. */
function oldEvent(change: object): EvalEvent {
  const event = finished(sampleTrial());
  if (event.kind !== "trial-finished") throw new Error("not a run");
  const { agentTime: _, skillEdits: __, output: ___, reusedFrom: ____, ...run } = event.run;
  return { ...event, run: { ...run, ...change } as Run };
}

function runOf(event: EvalEvent): Run {
  const read = withEveryField(event);
  if (read.kind !== "trial-finished") throw new Error("not a run");
  return read.run;
}

describe("a journal from before the fields", () => {
  it("knows nothing of them where no note tells", () => {
    expect(runOf(oldEvent({ notes: ["leaky"] }))).toMatchObject({
      agentTime: null,
      skillEdits: [],
      output: null,
      reusedFrom: null,
      notes: ["leaky"],
    });
  });

  it("tells them in its notes, which stay", () => {
    const notes = [
      "the run changed the skill under test: a/SKILL.md, a/b.md",
      "no output: out.md was not written",
      "reused from iteration-3",
    ];
    expect(runOf(oldEvent({ notes }))).toMatchObject({
      skillEdits: ["a/SKILL.md", "a/b.md"],
      output: { status: "missing", reason: "out.md was not written" },
      reusedFrom: "iteration-3",
      notes,
    });
  });

  it("has outcomes that do not say whether they may pass", () => {
    expect(runOf(oldEvent({ outcome: { status: "api", message: "529" } })).outcome).toEqual(
      leftOut("api", "529"),
    );
    const crashed = { status: "crashed", message: "exit code 1" };
    expect(runOf(oldEvent({ outcome: crashed })).outcome).toEqual(crashed);
  });
});

it("what today's journals say is not touched", () => {
  const event = finished(sampleTrial(), {
    outcome: { status: "api", message: "404", mayPass: false },
    notes: ["reused from iteration-3"],
    reusedFrom: null,
    skillEdits: ["SKILL.md"],
    sent: null,
    teardownProblem: null,
    output: { status: "present" },
  });
  expect(withEveryField(event)).toEqual(event);
});
