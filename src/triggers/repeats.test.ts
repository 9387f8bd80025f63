import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Asked, aQuery, probed } from "../../test/support/triggers.ts";
import { nextRuns, triggerRunsOf } from "./repeats.ts";
import { summarizeTriggers } from "./summarize.ts";

const ASKED = { runs: null, maxRuns: 9, adaptive: false, triggerThreshold: 0.5 };

describe("runs of a query", () => {
  it.each([
    ["nothing is said", {}, { first: 3, most: 9 }],
    ["--runs 5", { runs: 5 }, { first: 5, most: 9 }],
    ["--runs 12", { runs: 12 }, { first: 12, most: 12 }],
    ["--max-runs 1", { maxRuns: 1 }, { first: 1, most: 1 }],
    ["--runs 1 --max-runs 1", { runs: 1, maxRuns: 1 }, { first: 1, most: 1 }],
    ["--adaptive", { adaptive: true }, { first: 3, most: 9 }],
    ["--adaptive --runs 5", { adaptive: true, runs: 5 }, { first: 3, most: 5 }],
    ["--adaptive at 0.9", { adaptive: true, triggerThreshold: 0.9 }, { first: 1, most: 9 }],
  ])("when %s", (_, given, runs) => {
    expect(triggerRunsOf({ ...ASKED, ...given }, 3)).toEqual(runs);
  });
});

describe("the next round", () => {
  const after = (asked: readonly Asked[], { most = 9, threshold = 0.5 } = {}) => {
    const iteration = probed(asked);
    const summary = summarizeTriggers(iteration, { threshold, firstRuns: 3, adaptiveRuns: null });
    const next = nextRuns(summary?.queries ?? [], iteration.trials, most);
    return next === null ? null : Object.fromEntries(next);
  };
  const ask = (id: string, ...runs: Asked["runs"]): Asked => ({ one: aQuery(id, true), runs });
  const fires = (times: number, of: number) =>
    Array.from({ length: of }, (_, run) => (run < times ? "fire" : "-"));

  it.each([
    ["all settled", [ask("a", ...fires(3, 3)), ask("b", ...fires(0, 3))], null],
    ["one unsettled", [ask("a", ...fires(3, 3)), ask("b", ...fires(2, 3))], { a: 3, b: 7 }],
    ["one run of three", [ask("a", "fire")], { a: 3 }],
    ["beyond the limit", [ask("a", ...fires(4, 8))], null],
  ])("%s", (_, asked, next) => {
    expect(after(asked)).toEqual(next);
  });

  it("does not repeat what no number of runs within the limit can settle", () => {
    expect(after([ask("a", ...fires(3, 3))], { threshold: 0.9 })).toBeNull();
    expect(after([ask("a", ...fires(3, 3))], { threshold: 0.9, most: 40 })).toEqual({ a: 25 });
  });

  it("ends within the limit, whatever the runs bring", () => {
    const coins = fc.array(fc.infiniteStream(fc.boolean()), { minLength: 1, maxLength: 4 });
    const threshold = fc.constantFrom(0.3, 0.5, 0.8, 1);
    fc.assert(
      fc.property(coins, threshold, fc.integer({ min: 1, max: 12 }), (streams, at, most) => {
        const flips = streams.map((coin) => coin[Symbol.iterator]());
        let runs = streams.map((): string[] => []);
        let wanted: Record<string, number> | null = Object.fromEntries(runs.map((_, id) => [id, 1]));
        for (let round = 0; wanted !== null; round++) {
          expect(round).toBeLessThanOrEqual(12);
          runs = runs.map((seen, id) => {
            const more = (wanted?.[id] ?? 0) - seen.length;
            return [...seen, ...Array.from({ length: more }, () => (flips[id]?.next().value ? "fire" : "-"))];
          });
          wanted = after(
            runs.map((seen, id) => ask(String(id), ...seen)),
            { most, threshold: at },
          );
        }
        for (const seen of runs) expect(seen.length).toBeLessThanOrEqual(most);
      }),
    );
  });
});
