import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import { aQuery, aSkill, probed } from "../../../test/support/triggers.ts";
import { canaryCase } from "../../triggers/canary.ts";
import { summarizeTriggers } from "../../triggers/summarize.ts";
import { triggersFile } from "./triggers.ts";

const API = { outcome: leftOut("api", "overloaded") } as const;

function file() {
  const summary = summarizeTriggers(
    probed([
      { one: canaryCase(aSkill(), aQuery("q", true), []), runs: ["fire"] },
      { one: aQuery("a", true), runs: ["fire", "-", "fire"] },
      { one: aQuery("b", false), runs: ["adder", "-"] },
      { one: aQuery("c", false), runs: [API, API] },
    ]),
    { threshold: 0.5, firstRuns: 3, adaptiveRuns: null },
  );
  if (summary === null) throw new Error("nothing was asked");
  return triggersFile(summary, null);
}

describe("triggers.json", () => {
  it("holds what skill-creator's run_eval prints, under its names", () => {
    const { skill_name, description, results, summary } = file();
    expect({ skill_name, description }).toEqual({
      skill_name: "greeter",
      description: "Greets people by name.",
    });
    expect(
      results.map(({ query, should_trigger, trigger_rate, triggers, runs, pass }) => ({
        query,
        should_trigger,
        trigger_rate,
        triggers,
        runs,
        pass,
      })),
    ).toEqual([
      { query: "query a", should_trigger: true, trigger_rate: 2 / 3, triggers: 2, runs: 3, pass: true },
      { query: "query b", should_trigger: false, trigger_rate: 0, triggers: 0, runs: 2, pass: true },
      { query: "query c", should_trigger: false, trigger_rate: null, triggers: 0, runs: 0, pass: false },
    ]);
    expect(summary).toMatchObject({ total: 3, passed: 0, failed: 0, unsettled: 2, unscored: 1 });
  });

  it("has intervals, what else fired, and what was left out", () => {
    const [a, b, c] = file().results;
    expect(a?.interval).toEqual({ low: expect.closeTo(0.208, 3), high: expect.closeTo(0.939, 3) });
    expect(b?.other_skills).toEqual({ adder: 1 });
    expect(c).toMatchObject({ interval: null, left_out: { api: 2 }, status: "unscored" });
  });
});
