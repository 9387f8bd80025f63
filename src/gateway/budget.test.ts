import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Budget, type BudgetState, createBudget, type Reservation } from "./budget.ts";

const never = new AbortController().signal;

async function held(budget: Budget, costUsd: number, tokens = 0): Promise<Reservation> {
  const got = await budget.reserve({ costUsd, tokens }, never);
  if ("refused" in got) throw new Error(got.refused);
  return got;
}

describe("a budget", () => {
  it("lets everything pass when nothing is limited", async () => {
    const budget = createBudget({ maxCostUsd: null, maxTokens: null });
    expect(budget).toMatchObject({ limited: false, countsMoney: false });
    (await held(budget, 1e9, 1e12)).settle({ costUsd: 1e9, tokens: 1e12 });
    expect(budget.snapshot()).toMatchObject({ spent: { costUsd: 1e9, tokens: 1e12 }, exhausted: false });
  });

  it.each([
    [
      { maxCostUsd: 1, maxTokens: null },
      { costUsd: 1.2, tokens: 5 },
      /budget of \$1\.00 \(--max-cost\) does not cover the next request: \$0\.00 spent so far, and it may cost up to \$1\.20/,
    ],
    [
      { maxCostUsd: null, maxTokens: 100 },
      { costUsd: 0, tokens: 101 },
      /budget of 100 tokens \(--max-tokens\) does not cover the next request: 0 spent so far, and it may take up to 101/,
    ],
  ])("refuses for good what can never fit: %j", async (limits, most, message) => {
    const budget = createBudget(limits);
    const got = await budget.reserve(most, never);
    expect("refused" in got && got.refused).toMatch(message);
    expect(budget.snapshot()).toMatchObject({ exhausted: true, reserved: { costUsd: 0, tokens: 0 } });
  });

  it("takes what fits exactly", async () => {
    const budget = createBudget({ maxCostUsd: 1, maxTokens: 100 });
    await held(budget, 1, 100);
    expect(budget.snapshot().reserved).toEqual({ costUsd: 1, tokens: 100 });
  });

  it("waits for what is in flight instead of refusing, in order", async () => {
    const budget = createBudget({ maxCostUsd: 1, maxTokens: null });
    const first = await held(budget, 0.8);
    const order: string[] = [];
    void held(budget, 0.7).then(() => order.push("large"));
    void held(budget, 0.1).then(() => order.push("small"));
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    first.settle({ costUsd: 0.1, tokens: 0 });
    first.settle({ costUsd: 9, tokens: 0 });
    await new Promise(setImmediate);
    expect(order).toEqual(["large", "small"]);
    expect(budget.snapshot().spent.costUsd).toBeCloseTo(0.1);
  });

  it("refuses who waited when the others used it up", async () => {
    const budget = createBudget({ maxCostUsd: 1, maxTokens: null });
    const first = await held(budget, 0.8);
    const second = budget.reserve({ costUsd: 0.7, tokens: 0 }, never);
    const third = budget.reserve({ costUsd: 0.2, tokens: 0 }, never);
    first.settle({ costUsd: 0.8, tokens: 0 });
    expect(await second).toHaveProperty("refused");
    expect(await third).not.toHaveProperty("refused");
  });

  it("forgets who left", async () => {
    const budget = createBudget({ maxCostUsd: 1, maxTokens: null });
    const first = await held(budget, 0.8);
    const leave = new AbortController();
    const second = budget.reserve({ costUsd: 0.9, tokens: 0 }, leave.signal);
    const third = held(budget, 0.1);
    leave.abort();
    await expect(second).rejects.toThrow(/abort/i);
    await third;
    first.settle({ costUsd: 0, tokens: 0 });
    expect(budget.snapshot().reserved.costUsd).toBeCloseTo(0.1);
    await expect(budget.reserve({ costUsd: 0, tokens: 0 }, leave.signal)).rejects.toThrow(/abort/i);
  });

  it("goes on from where an earlier runner stopped, and tells every change", async () => {
    const told: BudgetState[] = [];
    const budget = createBudget({
      maxCostUsd: 1,
      maxTokens: null,
      before: { spent: { costUsd: 0.5, tokens: 7 }, reserved: { costUsd: 0.4, tokens: 3 } },
      onChange: (state) => told.push(state),
    });
    expect(await budget.reserve({ costUsd: 0.2, tokens: 1 }, never)).toHaveProperty("refused");
    (await held(budget, 0.05, 5)).settle({ costUsd: 0.04, tokens: 3 });
    expect(told).toEqual([
      { spent: { costUsd: 0.9, tokens: 10 }, reserved: { costUsd: 0.05, tokens: 5 } },
      { spent: { costUsd: 0.9400000000000001, tokens: 13 }, reserved: { costUsd: 0, tokens: 0 } },
    ]);
  });
});

const NOTHING: BudgetState = {
  spent: { costUsd: 0, tokens: 0 },
  reserved: { costUsd: 0, tokens: 0 },
};

const requests = fc.array(
  fc.record({
    most: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    /** Above 1: an answer that cost more than was reserved for it. */
    share: fc.double({ min: 0, max: 1.3, noNaN: true }),
    crash: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60 },
);

describe("whatever requests cost", () => {
  it("no more is spent than the cap and what answers cost beyond their reservation, over any number of crashes", async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 1, max: 8 }), async (plan, width) => {
        const cap = 1;
        let journal: BudgetState = NOTHING;
        let paid = 0;
        const start = (): Budget =>
          createBudget({
            maxCostUsd: cap,
            maxTokens: null,
            before: journal,
            onChange: (state) => (journal = state),
          });
        let budget = start();
        let overdrawn = 0;
        let inFlight: { reservation: Reservation; actual: number }[] = [];
        const settleOne = (): void => {
          const one = inFlight.shift();
          if (one === undefined) return;
          paid += one.actual;
          overdrawn += Math.max(0, one.actual - one.reservation.most.costUsd);
          one.reservation.settle({ costUsd: one.actual, tokens: 0 });
        };
        for (const { most, share, crash } of plan) {
          while (inFlight.length >= width) settleOne();
          const asking = budget.reserve({ costUsd: most, tokens: 0 }, never);
          const answer = await settledUntil(asking, () => {
            settleOne();
            return inFlight.length > 0;
          });
          const fits = budget.snapshot().spent.costUsd + most <= cap;
          expect(!("refused" in answer) || !fits).toBe(true);
          if (!("refused" in answer)) inFlight.push({ reservation: answer, actual: most * share });
          const { spent, reserved } = budget.snapshot();
          expect(spent.costUsd + reserved.costUsd).toBeLessThanOrEqual(cap + overdrawn + 1e-9);
          if (!crash) continue;
          // Nobody settles what was in flight, but the services are paid for it.
          for (const { actual, reservation } of inFlight) {
            paid += actual;
            overdrawn += Math.max(0, actual - reservation.most.costUsd);
          }
          inFlight = [];
          budget = start();
        }
        while (inFlight.length > 0) settleOne();
        expect(paid).toBeLessThanOrEqual(cap + overdrawn + 1e-9);
        expect(budget.snapshot().reserved.costUsd).toBeCloseTo(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a cap that is changed", () => {
  it("lets through what waited for more, and refuses by the new figure", async () => {
    const budget = createBudget({ maxCostUsd: 1, maxTokens: null });
    const never = new AbortController().signal;
    await budget.reserve({ costUsd: 0.9, tokens: 0 }, never);
    const waiting = budget.reserve({ costUsd: 0.5, tokens: 0 }, never);
    budget.limit({ maxCostUsd: 2 });
    expect(await waiting).not.toHaveProperty("refused");
    expect(budget.snapshot()).toMatchObject({ maxCostUsd: 2, maxTokens: null });
    expect(await budget.reserve({ costUsd: 3, tokens: 0 }, never)).toMatchObject({
      refused: expect.stringContaining("the budget of $2.00"),
    });
  });

  it("sets none where there was none: nobody looked whether prices are known", () => {
    const budget = createBudget({ maxCostUsd: null, maxTokens: 10 });
    budget.limit({ maxCostUsd: 2, maxTokens: 20 });
    expect(budget.snapshot()).toMatchObject({ maxCostUsd: null, maxTokens: 20 });
  });
});

/** Settles one after the other until the answer is there. */
async function settledUntil<T>(asking: Promise<T>, settleOne: () => boolean): Promise<T> {
  const waiting = Symbol("waiting");
  for (;;) {
    const got = await Promise.race([
      asking,
      new Promise<typeof waiting>((resolve) => setImmediate(resolve, waiting)),
    ]);
    if (got !== waiting) return got;
    if (!settleOne()) return asking;
  }
}
