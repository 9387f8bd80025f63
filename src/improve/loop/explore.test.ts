import { describe, expect, it } from "vitest";
import { edit, type Plan, run, world } from "../../../test/support/played-loop.ts";
import type { LoopLimits } from "./improve.ts";

/** v1 does better, v2 worse, v3 as well as v1. */
const THREE: Plan = { scores: [0.2, 0.5, 0.4, 0.5] };

describe("exploring", () => {
  it("follows the version that does better on the cases to learn from", async () => {
    const around = world();
    const { rounds, end } = await run(around, THREE);
    expect(end).toEqual({ kind: "rounds" });
    expect(rounds.map(({ version, parent, result, leads }) => [version, parent, result, leads])).toEqual([
      [0, null, "baseline", true],
      [1, 0, "won", true],
      [2, 1, "lost", false],
      [3, 1, "tie", false],
    ]);
    expect([...around.drafts.values()].map(({ text }) => text)).toEqual([
      "v0",
      "v0+v1",
      "v0+v1+v2",
      "v0+v1+v3",
    ]);
    expect(around.rejected).toEqual([[], [], [edit(2)]]);
    expect(around.compared).toEqual([[], ["1-0"], ["2-1", "1-0"]]);
  });

  it("follows the judges between versions that pass as much", async () => {
    const { rounds } = await run(
      world(),
      { scores: [0.5, 0.5, 0.5], prefers: ["newer", "older"] },
      { rounds: 2 },
    );
    expect(rounds.map(({ result }) => result)).toEqual(["baseline", "won", "lost"]);
  });

  it("follows the checks where the judges disagree with them", async () => {
    const { rounds } = await run(world(), { scores: [0.5, 0.4], prefers: ["newer"] }, { rounds: 1 });
    expect(rounds[1]).toMatchObject({ result: "lost", leads: false });
  });

  it("does not have judges compare a version that fell behind after its first runs", async () => {
    const around = world();
    const { rounds } = await run(around, { ...THREE, dropped: [1] }, { rounds: 1 });
    expect(rounds[1]).toMatchObject({ result: "lost", leads: false, dropped: true });
    expect(around.paid).toEqual(["measure v0", "suggest v1", "measure v1"]);
  });

  it.each<[string, Plan, Partial<LoopLimits>, string]>([
    ["the goal is met at the start", { scores: [1] }, {}, "goal 1"],
    ["the goal is met on the way", { scores: [0.5, 0.9] }, { goal: 0.9 }, "goal 2"],
    ["nothing fails to learn from", { scores: [1] }, { goal: 1.1 }, "nothing-fails 1"],
    ["two rounds gained nothing", { scores: [0.5, 0.4, 0.3] }, { rounds: 9 }, "no-gain 3"],
    ["time is up", THREE, { maxMs: 4000 }, "time 2"],
    ["no edits come", { ...THREE, edits: () => [] }, {}, "no-edits 1"],
  ])("ends when %s", async (_, plan, limits, expected) => {
    const { end, rounds } = await run(world(), plan, limits);
    expect(`${end.kind} ${rounds.length}`).toBe(expected);
  });

  it("takes up more rounds later", async () => {
    const around = world();
    const plan: Plan = { scores: [0, 0.1, 0.2, 0.3] };
    await run(around, plan, { rounds: 1 });
    const { rounds } = await run(around, plan, { rounds: 3 });
    expect(rounds.map(({ leads }) => leads)).toEqual([true, true, true, true]);
  });
});
