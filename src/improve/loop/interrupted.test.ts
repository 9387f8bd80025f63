import { expect, it } from "vitest";
import { type Plan, run, world } from "../../../test/support/played-loop.ts";

const PLAN: Plan = { scores: [0.2, 0.5, 0.6, 0.5], dropped: [3], found: { 2: { verdict: "better" } } };

it("the loop can be interrupted after any piece of work and goes on with nothing lost or paid twice", async () => {
  const whole = world();
  const { rounds, confirmations } = await run(whole, PLAN);
  expect(confirmations).toMatchObject([{ version: 2, adopted: true }]);
  expect(whole.paid.at(-1)).toBe("confirm v2 v0");
  for (let allowance = 0; allowance < whole.paid.length; allowance++) {
    const around = world();
    const cut = await run(around, { ...PLAN, allowance });
    expect(["stopped", "no-edits"]).toContain(cut.end.kind);
    const again = await run(around, PLAN);
    expect(again).toMatchObject({ rounds, confirmations });
    expect(around.paid).toEqual(whole.paid);
  }
});
