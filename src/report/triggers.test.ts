import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aGrading, aVerdict, anIteration } from "../../test/support/runs.ts";
import { type Asked, aQuery, aSkill, probed } from "../../test/support/triggers.ts";
import type { JsonObject } from "../domain/json.ts";
import { canaryCase } from "../triggers/canary.ts";
import type { Evaluated } from "./evaluated.ts";
import type { GateOptions } from "./gates.ts";
import { summarize } from "./summarize.ts";
import { triggerLines } from "./trigger-text.ts";

const GATES: GateOptions = { minPassRate: null, allowMissing: 0 };
const API = { outcome: leftOut("api", "overloaded") } as const;
const CANARY: Asked = { one: canaryCase(aSkill(), aQuery("q", true), []), runs: ["fire", "-"] };
const SILENT_CANARY: Asked = { ...CANARY, runs: ["-", "-"] };

function evaluated(asked: readonly Asked[], options: JsonObject = {}): Evaluated {
  const iteration = probed(asked);
  const graded = iteration.trials.filter(
    ({ id }) => iteration.runs.get(id)?.run.outcome.status === "completed",
  );
  return {
    ...iteration,
    iteration: anIteration({ suite: "greeter", options }),
    gradings: new Map(
      graded.map(({ id }) => [id, aGrading(id, [aVerdict({ trialId: id, layer: "trigger" })])]),
    ),
  };
}

const ask = (id: string, expected: boolean, runs: Asked["runs"]): Asked => ({
  one: aQuery(id, expected),
  runs,
});

describe("gates of trigger queries", () => {
  it.each<[string, readonly Asked[], string]>([
    ["two of three runs are enough", [CANARY, ask("a", true, ["fire", "-", "fire"])], "passed"],
    ["one of three is not", [CANARY, ask("a", true, ["fire", "-", "-"])], "failed"],
    [
      "a should-not query that fires",
      [CANARY, ask("a", true, ["fire"]), ask("b", false, ["fire"])],
      "failed",
    ],
    ["a run that was left out", [CANARY, ask("a", true, ["fire", API])], "unfinished"],
    ["no run that counts", [CANARY, ask("a", false, [API])], "unfinished"],
    ["a canary that is silent", [SILENT_CANARY, ask("a", true, ["fire"])], "unfinished"],
  ])("%s: %s", (_, asked, verdict) => {
    expect(summarize(evaluated(asked), GATES).verdict).toBe(verdict);
  });

  it("let nothing pass that has no valid run, even where missing runs are borne", () => {
    const summary = summarize(evaluated([CANARY, ask("a", false, [API])]), { ...GATES, allowMissing: 9 });
    expect(summary.verdict).toBe("ungraded");
    expect(summary.gates).toEqual([]);
  });

  it("say how often the query fired", () => {
    const { gates } = summarize(evaluated([CANARY, ask("a", true, ["fire", "-", "fire"])]), GATES);
    expect(gates).toEqual([
      { name: "a", caseId: "a", met: true, detail: "fired in 2 of 3 runs, threshold 0.5" },
    ]);
  });

  it("use the threshold of the run, unless another is asked for", () => {
    const asked = evaluated([CANARY, ask("a", true, ["fire", "-", "fire"])], { triggerThreshold: 0.9 });
    expect(summarize(asked, GATES).verdict).toBe("failed");
    expect(summarize(asked, { ...GATES, triggerThreshold: 0.6 }).verdict).toBe("passed");
  });

  it("count the canary in no rate", () => {
    const { variants, cases } = summarize(evaluated([CANARY, ask("a", true, ["fire"])]), GATES);
    expect(cases.map(({ caseId }) => caseId)).toEqual(["a"]);
    expect(variants).toMatchObject([{ trials: 1, checks: { total: 1 } }]);
  });

  it("are not there before anything was graded", () => {
    const ran = { ...evaluated([CANARY, ask("a", true, ["-"])]), gradings: new Map() };
    expect(summarize(ran, GATES)).toMatchObject({ verdict: "ungraded", gates: [] });
  });
});

describe("triggerLines", () => {
  const lines = (asked: readonly Asked[], options: JsonObject = {}) => {
    const { triggers } = summarize(evaluated(asked, options), GATES);
    return triggers === null ? "" : triggerLines(triggers, null, 10).join("\n");
  };

  it("show failures first, then the rates", () => {
    const asked = [
      CANARY,
      ask("a", true, ["fire", "fire"]),
      ask("b", true, ["adder", "-"]),
      ask("c", false, [API, API]),
    ];
    expect(lines(asked)).toMatchInlineSnapshot(`
      "  triggers: 1 of 3 queries passed, 1 unscored
          x should fire: "query b": fired in 0 of 2 runs, threshold 0.5; taken up instead: adder 1
          ? should not fire: "query c": no run of it could be counted; left out: api 2
          recall 1 of 2 (50 %, 95 % interval 9 to 91 %); precision 1 of 1 (100 %, 95 % interval 21 to 100 %); accuracy 1 of 2 (50 %, 95 % interval 9 to 91 %)
          1 run took up adder where greeter was meant"
    `);
  });

  it("give no rates for a result that is invalid", () => {
    expect(lines([SILENT_CANARY, ask("a", false, ["-"])])).toMatchInlineSnapshot(`
      "  triggers: 1 of 1 queries passed
          canary: did not fire in 2 runs; unknown: the client refused nothing, yet the model did not take the skill up; look at the canary's transcript"
    `);
  });

  it("say what adaptive repetition saved", () => {
    const text = lines([CANARY, ask("a", true, ["fire", "fire"])], { adaptive: true });
    expect(text).toContain("adaptive: 2 runs in place of 3, tokens unknown");
  });
});
