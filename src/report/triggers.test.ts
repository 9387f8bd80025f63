import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aGrading, aVerdict, anIteration } from "../../test/support/runs.ts";
import { type Asked, aQuery, aSkill, probed } from "../../test/support/triggers.ts";
import type { JsonObject } from "../domain/json.ts";
import { canaryCase } from "../triggers/canary.ts";
import type { Evaluated } from "./evaluated.ts";
import type { GateOptions } from "./gates.ts";
import { pageText, PLAIN } from "./page.ts";
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
    ["three of three runs are enough", [CANARY, ask("a", true, ["fire", "fire", "fire"])], "passed"],
    [
      "one of three may be chance, which fails nothing",
      [CANARY, ask("a", true, ["fire", "-", "-"])],
      "passed",
    ],
    ["none of three is not", [CANARY, ask("a", true, ["-", "-", "-"])], "failed"],
    [
      "a should-not query that fires",
      [CANARY, ask("a", true, ["fire"]), ask("b", false, ["fire", "fire", "fire"])],
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
    expect(summary.verdict).toBe("unfinished");
    expect(summary.gates).toEqual([]);
  });

  it("say how often the query fired, and that chance may have decided", () => {
    const asked = [CANARY, ask("a", true, ["fire", "-", "fire"]), ask("b", false, ["-", "-", "-"])];
    const { gates } = summarize(evaluated(asked), GATES);
    expect(gates).toEqual([
      {
        name: "a",
        caseId: "a",
        met: true,
        detail: "unsettled: fired in 2 of 3 runs, threshold 0.5: this may be chance; 4 more could settle it",
      },
      { name: "b", caseId: "b", met: true, detail: "fired in 0 of 3 runs, threshold 0.5" },
    ]);
  });

  it("miss an unsettled query as a result where --strict asks for it, then or now", () => {
    const asked = [CANARY, ask("a", true, ["fire", "-", "fire"])];
    expect(summarize(evaluated(asked), { ...GATES, strict: true }).verdict).toBe("unfinished");
    expect(summarize(evaluated(asked, { strict: true }), GATES).verdict).toBe("unfinished");
  });

  it("use the threshold of the run, unless another is asked for", () => {
    const asked = evaluated([CANARY, ask("a", true, ["fire", "-", "-"])], { triggerThreshold: 0.9 });
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
    return triggers === null ? "" : pageText(triggerLines(triggers, null, 10), PLAIN).trimEnd();
  };

  it("show failures first, then the rates", () => {
    const asked = [
      CANARY,
      ask("c", false, [API, API]),
      ask("d", true, ["fire", "fire", "-"]),
      ask("a", true, ["fire", "fire", "fire"]),
      ask("b", true, ["adder", "-", "-"]),
    ];
    expect(lines(asked)).toMatchInlineSnapshot(`
      "  triggers: 1 of 4 queries passed, 1 unsettled, 1 unscored
          x should fire: "query b": fired in 0 of 3 runs, threshold 0.5; loaded instead: adder 1
          ? should fire: "query d": unsettled, fired in 2 of 3 runs, threshold 0.5: this may be chance; 4 more could settle it
          ? should not fire: "query c": no run of it could be counted; left out: api 2
          recall 2 of 3 (67 %, 95 % interval 21 to 94 %); precision 2 of 2 (100 %, 95 % interval 34 to 100 %); accuracy 2 of 3 (67 %, 95 % interval 21 to 94 %); rates use the first runs of every query, settled or not, without repeats
          1 run loaded adder where greeter was expected"
    `);
  });

  it("give no rates for a result that is invalid", () => {
    expect(lines([SILENT_CANARY, ask("a", false, ["-"])])).toMatchInlineSnapshot(`
      "  triggers: 0 of 1 queries passed, 1 unsettled
          ? should not fire: "query a": unsettled, fired in 0 of 1 runs, threshold 0.5: this may be chance; 2 more could settle it
          canary: did not fire in 2 runs; unknown: the client refused nothing, yet the model did not load the skill; look at the canary's transcript"
    `);
  });

  it("say what adaptive repetition saved", () => {
    const options = { adaptive: true, triggerRuns: { first: 3, most: 9 } };
    const text = lines([CANARY, ask("a", true, ["fire", "fire", "fire"])], options);
    expect(text).toContain("adaptive: 3 runs in place of 9, tokens unknown");
  });
});
