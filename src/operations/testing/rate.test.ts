import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settleRate } from "./rate.ts";

const AT_95 = { rate: 0.8, confidence: 0.95 };

describe("a rate that is asked for", () => {
  it("is reached where so many passes would be too lucky below it", () => {
    // 0.8 to the power of 14 is 0.044, of 13 it is 0.055.
    expect(settleRate({ passed: 14, runs: 14, ...AT_95 })).toMatchObject({
      status: "passed",
      runsToPass: null,
    });
    expect(settleRate({ passed: 13, runs: 13, ...AT_95 })).toMatchObject({
      status: "unsettled",
      runsToPass: 14,
    });
  });

  it("is missed where so few passes would be too unlucky at it", () => {
    // 0.2 squared is 0.04, 0.2 is not below 0.05.
    expect(settleRate({ passed: 0, runs: 2, ...AT_95 }).status).toBe("failed");
    expect(settleRate({ passed: 0, runs: 1, ...AT_95 }).status).toBe("unsettled");
  });

  it("is unsettled without a run, and says how many could settle it", () => {
    expect(settleRate({ passed: 0, runs: 0, ...AT_95 })).toEqual({
      status: "unsettled",
      interval: null,
      runsToPass: 14,
    });
    expect(settleRate({ passed: 0, runs: 0, rate: 0.5, confidence: 0.95 }).runsToPass).toBe(5);
  });

  it("is never called reached more often than the confidence allows", () => {
    // Exact over all outcomes: the chance of a wrong "passed" at a true rate just below the one asked for.
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.constantFrom(0.8, 0.9, 0.95),
        (runs, rate, confidence) => {
          let wrong = 0;
          for (let passed = 0; passed <= runs; passed++)
            if (settleRate({ passed, runs, rate, confidence }).status === "passed")
              wrong += binomial(runs, passed, rate - 1e-9);
          expect(wrong).toBeLessThanOrEqual(1 - confidence + 1e-6);
        },
      ),
    );
  });
});

function binomial(runs: number, passed: number, rate: number): number {
  let ways = 1;
  for (let at = 1; at <= passed; at++) ways = (ways * (runs - passed + at)) / at;
  return ways * rate ** passed * (1 - rate) ** (runs - passed);
}
