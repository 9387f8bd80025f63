import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { type Asked, aQuery, aSkill, probed, type Seen } from "../../test/support/triggers.ts";
import { canaryCase } from "./canary.ts";
import { summarizeTriggers, type TriggerOptions } from "./summarize.ts";
import { triggerAlarms } from "./validity.ts";

const OPTIONS: TriggerOptions = { threshold: 0.5, firstRuns: 30, adaptiveRuns: null };
const thrice = (seen: Seen) => [seen, seen, seen];
const API = { outcome: leftOut("api", "overloaded") } as const;

const ask = (id: string, expected: boolean, runs: readonly Seen[], claim = {}): Asked => ({
  one: aQuery(id, expected, claim),
  runs,
});
const canary = (...runs: Seen[]): Asked => ({
  one: canaryCase(aSkill(), aQuery("q", true), []),
  runs,
});

function summary(asked: readonly Asked[], options: Partial<TriggerOptions> = {}) {
  const found = summarizeTriggers(probed(asked), { ...OPTIONS, ...options });
  if (found === null) throw new Error("nothing was asked");
  return found;
}

describe("a query", () => {
  it.each([
    ["fires always", ["fire", "fire", "fire"], { status: "passed", leaning: "passed", fired: { rate: 1 } }],
    [
      "fires in two of three runs",
      ["fire", "-", "fire"],
      { status: "unsettled", leaning: "passed", fired: { rate: 2 / 3 } },
    ],
    [
      "fires in one of two: the bound counts",
      ["fire", "-"],
      { status: "unsettled", leaning: "passed", fired: { rate: 0.5 } },
    ],
    [
      "fires in one of three",
      ["-", "-", "fire"],
      { status: "unsettled", leaning: "failed", fired: { rate: 1 / 3 } },
    ],
    [
      "fires in one of nine",
      [...Array(8).fill("-"), "fire"],
      { status: "failed", leaning: "failed", fired: { rate: 1 / 9 } },
    ],
    ["never fires", ["-", "-", "-"], { status: "failed", leaning: "failed", fired: { rate: 0 } }],
    [
      "fires after another skill",
      [["adder", "fire"]],
      { status: "unsettled", leaning: "passed", fired: { rate: 1 } },
    ],
    [
      "is answered by another skill",
      ["adder"],
      { status: "unsettled", leaning: "failed", fired: { rate: 0 } },
    ],
    [
      "counts only what was valid",
      ["fire", "fire", "fire", API, API],
      { status: "passed", leaning: "passed", fired: { rate: 1 } },
    ],
    ["has no run that counts", [API, API], { status: "unscored", leaning: null, fired: { rate: null } }],
  ] as const)("that should fire %s", (_, runs, found) => {
    expect(summary([ask("q", true, runs)]).queries[0]).toMatchObject(found);
  });

  it.each([
    ["never does", ["-", "-", "-"], { status: "passed", leaning: "passed", fired: { rate: 0 } }],
    ["does once", ["fire", "-", "-"], { status: "unsettled", leaning: "passed", fired: { rate: 1 / 3 } }],
    ["does at the bound", ["fire", "-"], { status: "unsettled", leaning: "failed", fired: { rate: 0.5 } }],
    [
      "has one run that counts",
      ["-", API, API],
      { status: "unsettled", leaning: "passed", fired: { rate: 0 } },
    ],
    [
      "has no run that counts: no free pass",
      [API, API],
      { status: "unscored", leaning: null, fired: { rate: null } },
    ],
  ] as const)("that should not fire %s", (_, runs, found) => {
    expect(summary([ask("q", false, runs)]).queries[0]).toMatchObject(found);
  });

  it("is settled by its repeats, which do not move its rate", () => {
    const seen = ["fire", "-", "fire", ...Array<string>(5).fill("fire")];
    const [query] = summary([ask("q", true, seen)], { firstRuns: 3 }).queries;
    expect(query).toMatchObject({
      status: "passed",
      fired: { passed: 2, total: 3 },
      repeated: { fired: 7, runs: 8 },
      reason: "fired in 7 of 8 runs, threshold 0.5",
    });
  });

  it("says how many more runs could settle it", () => {
    const more = (runs: readonly Seen[]) => summary([ask("q", true, runs)]).queries[0]?.moreRuns;
    expect(more(["fire", "-", "fire"])).toBe(4);
    expect(more(["fire"])).toBe(2);
    expect(more(["fire", "fire", "fire"])).toBeNull();
    expect(more([API])).toBeNull();
  });

  it("that is planned and was never run is unscored", () => {
    const iteration = probed([ask("q", false, ["-"])]);
    const [query] = summarizeTriggers({ ...iteration, runs: new Map() }, OPTIONS)?.queries ?? [];
    expect(query?.status).toBe("unscored");
  });

  it("says which runs were left out, and why", () => {
    const timedOut = { outcome: leftOut("invalid", "deadline") } as const;
    expect(summary([ask("q", true, ["fire", API, API, timedOut])]).queries[0]?.leftOut).toEqual({
      api: 2,
      invalid: 1,
    });
  });

  it("has an interval that holds its rate", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("fire", "-"), { minLength: 1, maxLength: 30 }), (runs) => {
        const { fired } = summary([ask("q", true, runs)]).queries[0] ?? {};
        expect(fired?.low ?? 1).toBeLessThanOrEqual(fired?.rate ?? -1);
        expect(fired?.high ?? 0).toBeGreaterThanOrEqual(fired?.rate ?? 2);
      }),
    );
  });

  it("passes, or leans to it, as should-fire exactly when it does not as should-not-fire", () => {
    const runs = fc.array(fc.constantFrom("fire", "-"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(runs, fc.double({ min: 0.01, max: 1, noNaN: true }), (seen, threshold) => {
        const query = (expected: boolean) => summary([ask("q", expected, seen)], { threshold }).queries[0];
        expect(new Set([query(true)?.leaning, query(false)?.leaning])).toEqual(new Set(["failed", "passed"]));
        const statuses = new Set([query(true)?.status, query(false)?.status]);
        expect([new Set(["failed", "passed"]), new Set(["unsettled"])]).toContainEqual(statuses);
      }),
    );
  });
});

describe("routing", () => {
  it.each([
    ["the rival answers", ["adder", "adder", "adder"], "passed"],
    ["the rival answers too seldom to tell", ["adder", "-", "-"], "unsettled"],
    ["the rival never answers", ["-", "-", "-"], "failed"],
    ["the skill under test answers too", thrice(["adder", "fire"]), "failed"],
    ["the rival comes from a plugin", thrice("math:adder"), "passed"],
  ] as const)("a near miss: %s", (_, runs, status) => {
    expect(summary([ask("q", false, runs, { skill: "adder" })]).queries[0]).toMatchObject({
      status,
      rival: "adder",
    });
  });

  it.each([
    ["fires", thrice(["fire", "adder"]), "failed"],
    ["fires below the threshold", [["fire", "adder"], ...Array(8).fill("fire")], "passed"],
    ["fires perhaps too often", [["fire", "adder"], "fire", "fire"], "unsettled"],
  ] as const)("a forbidden skill %s", (_, runs, status) => {
    expect(summary([ask("q", true, runs, { forbidden: ["adder"] })]).queries[0]?.status).toBe(status);
  });

  it.each([
    ["does", "adder", "passed"],
    ["does not", "fire", "failed"],
  ])("another skill must fire, and %s", (_, seen, status) => {
    const asked = ask("q", true, [seen, seen, seen], { skill: "adder" });
    expect(summary([asked]).queries[0]?.status).toBe(status);
  });

  it("counts who answered in whose place", () => {
    const { confusion } = summary([
      ask("a", true, ["fire", "adder", "-"]),
      ask("b", false, ["adder", "adder"], { skill: "adder" }),
      ask("c", false, ["fire", API]),
    ]);
    expect(confusion).toEqual([
      { expected: "adder", fired: "adder", runs: 2 },
      { expected: null, fired: "greeter", runs: 1 },
      { expected: "greeter", fired: null, runs: 1 },
      { expected: "greeter", fired: "adder", runs: 1 },
      { expected: "greeter", fired: "greeter", runs: 1 },
    ]);
  });
});

describe("the whole", () => {
  it("counts queries, not runs", () => {
    const whole = summary([
      canary("fire"),
      ask("a", true, ["fire", "fire"]),
      ask("b", true, ["-", "-"]),
      ask("c", false, ["fire", "fire"]),
      ask("d", false, ["-", "-"]),
      ask("e", false, [API]),
    ]);
    expect(whole.recall).toMatchObject({ passed: 1, total: 2, rate: 0.5 });
    expect(whole.precision).toMatchObject({ passed: 1, total: 2, rate: 0.5 });
    expect(whole.accuracy).toMatchObject({ passed: 2, total: 4, rate: 0.5 });
    expect(whole).toMatchObject({ skill: "greeter", description: "Greets people by name.", threshold: 0.5 });
    expect(triggerAlarms(whole)).toEqual([]);
  });

  it("knows no precision where nothing fired, rather than 100 %", () => {
    expect(summary([ask("a", false, ["-"])]).precision.rate).toBeNull();
    expect(summary([ask("a", false, ["-"])]).recall.rate).toBeNull();
  });

  it("is nothing without a trigger query", () => {
    expect(summarizeTriggers(probed([]), OPTIONS)).toBeNull();
    expect(summarizeTriggers(probed([canary("fire")]), OPTIONS)).toBeNull();
  });

  it("leaves the canary out of every number", () => {
    const withCanary = summary([canary("-", "-"), ask("a", true, ["fire"])]);
    const without = summary([ask("a", true, ["fire"])]);
    for (const key of ["queries", "precision", "recall", "accuracy", "confusion"] as const) {
      expect(withCanary[key]).toEqual(without[key]);
    }
  });
});

describe("validity", () => {
  const POSITIVE = ask("a", true, ["fire", "fire"]);
  const MUTE = [ask("a", true, ["-"]), ask("b", false, ["-"])];
  const invalid = (message: string) => ({ outcome: leftOut("invalid", message) }) as const;

  it.each([
    ["the canary fires", [canary("fire", "-"), POSITIVE], "valid", 0],
    ["the canary is silent, whatever else fires", [canary("-", "-"), POSITIVE], "invalid", 1],
    [
      "the canary was invalid throughout",
      [canary(invalid("not offered"), invalid("not offered")), POSITIVE],
      "invalid",
      1,
    ],
    ["the canary could not be asked, but something fires", [canary(API, API), POSITIVE], "valid", 0],
    ["the canary could not be asked, and nothing fires", [canary(API, API), ...MUTE], "invalid", 1],
    ["there is no canary, and nothing fires", MUTE, "invalid", 1],
    ["the canary fires and nothing else does", [canary("fire"), ...MUTE], "valid", 1],
    ["only should-not queries, all silent", [canary("fire"), ask("b", false, ["-"])], "valid", 0],
    ["nothing could be scored", [canary("fire"), ask("a", true, [API])], "valid", 0],
  ] as const)("%s", (_, asked, status, alarms) => {
    const whole = summary(asked);
    expect(whole.validity.status).toBe(status);
    expect(triggerAlarms(whole)).toHaveLength(alarms);
  });
});

describe("adaptive", () => {
  it("says what was saved, in runs and tokens", () => {
    const usage = {
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      costUsd: null,
    };
    const asked = [ask("a", true, [{ usage }, { usage }]), ask("b", false, ["-", "-"])];
    expect(summary(asked, { adaptiveRuns: 3 }).adaptive).toEqual({
      plannedRuns: 6,
      runs: 4,
      savedTokens: 240,
    });
    expect(summary([ask("a", true, ["fire"])], { adaptiveRuns: 3 }).adaptive?.savedTokens).toBeNull();
    expect(summary(asked).adaptive).toBeNull();
  });
});
