import type { Sides } from "../store/read/comparison.ts";
import type { Side, Winner } from "./pair.ts";
import type { Assessed, ComparisonReply } from "./reply.ts";
import { type Points, type ScoredRubric, scorePoints, tenths, winnerOf } from "./score.ts";

/** What one judge said of A and B in one order. */
export interface OrderVerdict {
  readonly shownFirst: Side;
  readonly winner: Winner;
  readonly rubric: Sides<ScoredRubric>;
  readonly assessed: Sides<Assessed>;
  readonly reasoning: string;
  readonly confidence: number;
}

/** What one judge said, both orders taken together. */
export interface JudgeVerdict {
  readonly winner: Winner;
  readonly rubric: Sides<ScoredRubric>;
  readonly strengths: Sides<readonly string[]>;
  readonly weaknesses: Sides<readonly string[]>;
  readonly reasoning: string;
  readonly confidence: number;
  /** Both orders name the same winner, or none. */
  readonly positionAgreement: boolean;
}

export type PassRates = Sides<number | null>;

/** A reply in terms of A and B; the winner is computed, not believed. */
export function readOrder(reply: ComparisonReply, shownFirst: Side, passRates: PassRates): OrderVerdict {
  const [one, two] = reply.outputs;
  const assessed = shownFirst === "A" ? { A: one, B: two } : { A: two, B: one };
  const rubric = { A: scorePoints(assessed.A.points), B: scorePoints(assessed.B.points) };
  const name = (place: string) => ((place === "1") === (shownFirst === "A") ? "output A" : "output B");
  return {
    shownFirst,
    winner: winnerOf(rubric.A, rubric.B, passRates),
    rubric,
    assessed,
    reasoning: reply.reasoning.trim().replaceAll(/\boutput ([12])\b/gi, (_, place: string) => name(place)),
    confidence: reply.confidence,
  };
}

/** A side wins only where it wins in both orders and with the points of both taken together. */
export function mergeOrders(ab: OrderVerdict, ba: OrderVerdict, passRates: PassRates): JudgeVerdict {
  const rubric = { A: mergedRubric(ab, ba, "A"), B: mergedRubric(ab, ba, "B") };
  const positionAgreement = ab.winner === ba.winner;
  const together = winnerOf(rubric.A, rubric.B, passRates);
  const said = (part: "strengths" | "weaknesses") => ({
    A: [...new Set([...ab.assessed.A[part], ...ba.assessed.A[part]])],
    B: [...new Set([...ab.assessed.B[part], ...ba.assessed.B[part]])],
  });
  return {
    winner: positionAgreement && together === ab.winner ? ab.winner : "TIE",
    rubric,
    strengths: said("strengths"),
    weaknesses: said("weaknesses"),
    reasoning: mergedReasoning(ab, ba),
    confidence: positionAgreement
      ? Math.round(50 * (ab.confidence + ba.confidence)) / 100
      : Math.min(ab.confidence, ba.confidence),
    positionAgreement,
  };
}

function mergedRubric(ab: OrderVerdict, ba: OrderVerdict, side: Side): ScoredRubric {
  const merged = (part: keyof Points) => meanByKey(ab.rubric[side][part], ba.rubric[side][part]);
  return scorePoints({ content: merged("content"), structure: merged("structure") });
}

/** A criterion that only one order has keeps its points. */
function meanByKey(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    keys.map((key) => {
      const values = [one[key], other[key]].filter((value) => value !== undefined);
      return [key, tenths(values.reduce((sum, value) => sum + value, 0) / values.length)];
    }),
  );
}

function mergedReasoning(ab: OrderVerdict, ba: OrderVerdict): string {
  if (ab.winner === ba.winner) return ab.reasoning;
  const name = (winner: Winner) => (winner === "TIE" ? "neither" : `output ${winner}`);
  return `The orders disagree: with A first ${name(ab.winner)} is better (${ab.reasoning}), with B first ${name(ba.winner)} (${ba.reasoning})`;
}
