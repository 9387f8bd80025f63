import type { Winner } from "./pair.ts";

/** Points from 1 to 5 by criterion. */
export interface Points {
  readonly content: Readonly<Record<string, number>>;
  readonly structure: Readonly<Record<string, number>>;
}

/** As it stands in comparison.json: points, and what code makes of them. */
export interface ScoredRubric extends Points {
  readonly content_score: number;
  readonly structure_score: number;
  readonly overall_score: number;
}

/** Means with one decimal, added up. */
export function scorePoints({ content, structure }: Points): ScoredRubric {
  const contentScore = tenths(mean(content));
  const structureScore = tenths(mean(structure));
  return {
    content,
    structure,
    content_score: contentScore,
    structure_score: structureScore,
    overall_score: tenths(contentScore + structureScore),
  };
}

/** The better rubric wins; between equal ones the better share of passed expectations; else nobody. */
export function winnerOf(
  a: Pick<ScoredRubric, "overall_score">,
  b: Pick<ScoredRubric, "overall_score">,
  passRates: { readonly A: number | null; readonly B: number | null },
): Winner {
  const byRubric = higher(a.overall_score, b.overall_score);
  if (byRubric !== "TIE" || passRates.A === null || passRates.B === null) return byRubric;
  return higher(passRates.A, passRates.B);
}

export function higher(a: number, b: number): Winner {
  if (a === b) return "TIE";
  return a > b ? "A" : "B";
}

export function tenths(value: number): number {
  return Math.round(value * 10 + 1e-9) / 10;
}

function mean(points: Readonly<Record<string, number>>): number {
  const values = Object.values(points);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
