import type { JsonObject } from "../domain/json.ts";
import type { Expectation, Pair, Side } from "./pair.ts";
import type { JudgeVerdict } from "./merge.ts";

/** comparison-K.json to the field; what is ours beside it is the case, the judge, confidence and agreement of orders. */
export function comparisonFile(
  verdict: JudgeVerdict,
  around: {
    readonly pair: Pick<Pair, "caseId" | "repetition">;
    readonly expectations: Readonly<Record<Side, readonly Expectation[]>>;
    readonly judge: number;
    readonly model: string;
  },
): JsonObject {
  const { winner, reasoning, rubric, strengths, weaknesses, confidence, positionAgreement } = verdict;
  const quality = (side: Side): JsonObject => ({
    score: Math.round(rubric[side].overall_score),
    strengths: strengths[side],
    weaknesses: weaknesses[side],
  });
  const { A, B } = around.expectations;
  return {
    winner,
    reasoning,
    rubric: { A: { ...rubric.A }, B: { ...rubric.B } },
    output_quality: { A: quality("A"), B: quality("B") },
    ...(A.length > 0 && B.length > 0
      ? { expectation_results: { A: expectationResults(A), B: expectationResults(B) } }
      : {}),
    case_id: around.pair.caseId,
    repetition: around.pair.repetition,
    judge: around.judge,
    judge_model: around.model,
    confidence,
    position_agreement: positionAgreement,
  };
}

/** Null where nothing was graded. */
export function passRate(expectations: readonly Expectation[]): number | null {
  if (expectations.length === 0) return null;
  return expectations.filter(({ passed }) => passed).length / expectations.length;
}

function expectationResults(expectations: readonly Expectation[]): JsonObject {
  const rate = passRate(expectations) ?? 0;
  return {
    passed: expectations.filter(({ passed }) => passed).length,
    total: expectations.length,
    pass_rate: Math.round(100 * rate) / 100,
    details: expectations.map(({ text, passed }) => ({ text, passed })),
  };
}
