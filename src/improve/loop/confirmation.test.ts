import { describe, expect, it } from "vitest";
import { NOTHING_FOUND, type Plan, run, world } from "../../../test/support/played-loop.ts";
import { type FreshResult, isAccepted, overfitting } from "./confirmation.ts";
import { adoptedVersion, leadingVersion } from "./record.ts";

const BETTER: Partial<FreshResult> = { verdict: "better", lift: 0.3 };
const ONE_LEADS: Plan = { scores: [0.2, 0.5] };

describe("the version that leads", () => {
  it("is adopted where fresh runs show that it is better", async () => {
    const around = world();
    const outcome = await run(around, { ...ONE_LEADS, found: { 1: BETTER } }, { rounds: 1 });
    expect(adoptedVersion(outcome)).toBe(1);
    expect(outcome.confirmations).toMatchObject([{ version: 1, against: 0, adopted: true }]);
    expect(around.paid.at(-1)).toBe("confirm v1 v0");
  });

  it("is not adopted where they do not, however far it led, and is not run anew for another answer", async () => {
    const around = world();
    const plan: Plan = { scores: [0, 0.9] };
    expect(adoptedVersion(await run(around, plan, { rounds: 1 }))).toBe(0);
    await run(around, plan, { rounds: 1 });
    expect(around.paid.filter((work) => work.startsWith("confirm"))).toHaveLength(1);
  });

  it("stays the one to draft from while it is unconfirmed, but not where it is worse", async () => {
    const open = await run(world(), ONE_LEADS, { rounds: 1 });
    expect(leadingVersion(open)).toBe(1);
    const worse = await run(world(), { ...ONE_LEADS, found: { 1: { verdict: "worse" } } }, { rounds: 1 });
    expect(leadingVersion(worse)).toBe(0);
  });

  it("is held against the version that was adopted before", async () => {
    const around = world();
    const plan: Plan = { scores: [0.2, 0.5, 0.8], found: { 1: BETTER, 2: BETTER } };
    await run(around, plan, { rounds: 1 });
    const { confirmations } = await run(around, plan, { rounds: 2 });
    expect(confirmations.map(({ version, against }) => [version, against])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  it("is run with nothing new where nothing leads", async () => {
    const around = world();
    await run(around, { scores: [0.5, 0.4] }, { rounds: 1 });
    expect(around.paid.some((work) => work.startsWith("confirm"))).toBe(false);
  });

  it("is accepted later by a call that takes equals, with the runs there are", async () => {
    const around = world();
    const equal = { interval: { low: -0.1, high: 0.1 }, costRatio: { low: 0.5, high: 0.8 } };
    const plan: Plan = { ...ONE_LEADS, found: { 1: equal } };
    expect(adoptedVersion(await run(around, plan, { rounds: 1 }))).toBe(0);
    const paid = around.paid.length;
    expect(adoptedVersion(await run(around, plan, { rounds: 1, acceptEqual: true }))).toBe(1);
    expect(around.paid).toHaveLength(paid);
  });
});

describe("a finding", () => {
  const equal: FreshResult = {
    ...NOTHING_FOUND,
    interval: { low: -0.1, high: 0.15 },
    costRatio: { low: 0.5, high: 0.8 },
  };

  it.each<[string, FreshResult, boolean, boolean]>([
    ["better", { ...NOTHING_FOUND, verdict: "better" }, false, true],
    ["no worse and cheaper", equal, false, false],
    ["no worse and cheaper, equals taken", equal, true, true],
    ["no worse, but dearer", { ...equal, costRatio: { low: 0.9, high: 1.1 } }, true, false],
    ["cheaper, but perhaps worse", { ...equal, interval: { low: -0.3, high: 0.1 } }, true, false],
    ["worse and cheaper", { ...equal, verdict: "worse" }, true, false],
    ["no worse, of unknown cost", { ...equal, costRatio: null }, true, false],
  ])("of %s", (_, found, acceptEqual, accepted) => {
    expect(isAccepted(found, acceptEqual)).toBe(accepted);
  });

  it.each([
    [0.4, 0, /\+40 points, the held-out ones \+0 points/],
    [0.4, -0.1, /held-out ones -10 points/],
    [0.4, 0.35, /^fine$/],
    [0, -0.4, /^fine$/],
    [0.4, null, /^fine$/],
  ])("of gains %s and %s on held-out cases", (train, heldOut, says) => {
    expect(overfitting({ ...NOTHING_FOUND, gains: { train, heldOut } }) ?? "fine").toMatch(says);
  });

  it("says nothing of a gap that chance makes", () => {
    const gains = { train: 0.53, heldOut: 0.3, error: 0.18 };
    expect(overfitting({ ...NOTHING_FOUND, gains })).toBeNull();
    expect(overfitting({ ...NOTHING_FOUND, gains: { ...gains, heldOut: 0.2 } })).toContain("+20 points");
  });
});
