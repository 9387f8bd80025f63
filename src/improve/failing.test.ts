import { describe, expect, it } from "vitest";
import type { Check } from "../domain/check.ts";
import type { Variant } from "../domain/trial.ts";
import { aCase } from "../../test/support/cases.ts";
import { aGrading, aVerdict } from "../../test/support/runs.ts";
import { failingChecks } from "./failing.ts";

function criterion(id: string): Check {
  return { id, layer: "L3", text: `must ${id}`, appliesTo: "every-variant", origin: null, kind: "criterion" };
}

function trial(caseId: string, repetition: number, variant: Variant = "with_skill") {
  return { id: `${caseId}/${variant}/run-${repetition}`, key: "k", caseId, variant, repetition };
}

describe("failing checks", () => {
  const cases = [
    aCase({ id: "1", checks: [criterion("a"), criterion("b")] }),
    aCase({ id: "2", checks: [criterion("a")] }),
    aCase({ id: "q", kind: "trigger", checks: [criterion("f")] }),
  ];
  const trials = [trial("1", 1), trial("1", 2), trial("2", 1), trial("2", 1, "without_skill"), trial("q", 1)];
  const verdict = (checkId: string, status: "passed" | "failed" | "unscored", reason = "") =>
    aVerdict({ checkId, status, reason });
  const gradings = new Map(
    [
      ["1/with_skill/run-1", [verdict("a", "failed", "not there"), verdict("b", "unscored")]],
      ["1/with_skill/run-2", [verdict("a", "passed"), verdict("b", "passed")]],
      ["2/with_skill/run-1", [verdict("a", "passed")]],
      ["2/without_skill/run-1", [verdict("a", "failed")]],
      ["q/with_skill/run-1", [verdict("f", "failed")]],
    ].map(([id, verdicts]) => {
      const of = (verdicts as ReturnType<typeof verdict>[]).map((one) => ({ ...one, trialId: id as string }));
      return [id as string, aGrading(id as string, of)];
    }),
  );

  it("are those of tasks with the skill, with how often and why", () => {
    expect(failingChecks({ cases, trials, gradings })).toEqual([
      {
        id: "1/a",
        caseId: "1",
        prompt: "Do it",
        text: "must a",
        failedRuns: 1,
        runs: 2,
        evidence: ["not there; 1 of 1"],
      },
    ]);
  });

  it("can be narrowed to some cases", () => {
    expect(failingChecks({ cases, trials, gradings }, new Set(["2"]))).toEqual([]);
  });
});
