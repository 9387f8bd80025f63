import type { Check } from "../../domain/check.ts";
import type { Grading } from "../../domain/grading.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { sumUsage } from "../../domain/usage.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { TestEnd, TestRun } from "./open-test.ts";

/** What a test asked of a run beyond the checks that it was run with. */
export interface FurtherGrading {
  readonly checks: readonly Check[];
  readonly grading: Grading;
}

/** The run's checks and verdicts, with all that the test asked of it, and whether the test itself passed. */
export function gradedByTest(
  { case: one, trial, grading }: Pick<TestRun, "case" | "trial" | "grading">,
  further: readonly FurtherGrading[],
  { name, end, at }: { readonly name: string; readonly end: TestEnd; readonly at: string },
): FurtherGrading {
  const check: Check = {
    id: "test",
    layer: "L1",
    text: `the test passes: ${name}`,
    appliesTo: "with-skill",
    origin: null,
    kind: "custom",
    grader: "test",
    with: null,
  };
  const all = [...(grading === null ? [] : [grading]), ...further.map((one) => one.grading)];
  return {
    checks: [...one.checks, ...further.flatMap(({ checks }) => checks), check],
    grading: {
      trialId: trial.id,
      claims: all.flatMap(({ claims }) => claims),
      evalFeedback: grading?.evalFeedback ?? null,
      judgeModel: all.find(({ judgeModel }) => judgeModel !== null)?.judgeModel ?? null,
      startedAt: grading?.startedAt ?? at,
      durationMs: all.reduce((sum, { durationMs }) => sum + durationMs, 0),
      usage: all.length === 0 ? UNKNOWN_USAGE : sumUsage(all.map(({ usage }) => usage)),
      ...(grading?.extraction && { extraction: grading.extraction }),
      verdicts: [...all.flatMap(({ verdicts }) => verdicts), testVerdict(check, trial.id, end)],
    },
  };
}

function testVerdict({ id, layer, text }: Check, trialId: string, end: TestEnd): Verdict {
  const head = { trialId, checkId: id, layer, text, score: null, entry: null };
  if (end.status === "passed")
    return {
      ...head,
      status: "passed",
      reason: "",
      evidence: [{ kind: "outcome", text: "the test passed" }],
    };
  if (end.status === "unknown") return { ...head, status: "unscored", reason: end.reason, evidence: [] };
  return {
    ...head,
    status: "failed",
    reason: end.reason,
    evidence: [{ kind: "outcome", text: "the test failed" }],
  };
}
