import type { DocNode } from "../../lib/document/node.ts";
import { object, optionalOrNull, required } from "../../lib/shape/object.ts";
import { invalid, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { list, number, record, refine, text } from "../../lib/shape/values.ts";
import { type Extras, lenient, resultFile } from "./result-file.ts";
import { countStatements, type GradedStatement, type StatementCounts, statements } from "./statements.ts";

/** One judge's blind comparison of two outputs. */
export interface ComparisonFile {
  readonly winner: "A" | "B" | "TIE";
  readonly reasoning: string;
  readonly rubric: Sides<Rubric>;
  readonly outputQuality: Sides<OutputQuality> | null;
  /** Null when there were no expectations. */
  readonly expectationResults: Sides<ExpectationResults> | null;
  readonly extras: Extras;
}

export interface Sides<T> {
  readonly A: T;
  readonly B: T;
}

export interface Rubric {
  /** Criteria with 1 to 5 points; a judge may adapt their names. */
  readonly content: Readonly<Record<string, number>>;
  readonly structure: Readonly<Record<string, number>>;
  /** Means of the points, computed from them; the file's own where it has no points. */
  readonly contentScore: number | null;
  readonly structureScore: number | null;
  /** The two added up. */
  readonly overallScore: number | null;
}

export interface OutputQuality {
  readonly score: number | null;
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
}

export interface ExpectationResults {
  readonly summary: StatementCounts;
  readonly details: readonly GradedStatement[];
}

const loose = { unknownKeys: "allowed" } as const;
const line = text({ blank: "allowed" });

const rubric: Shape<Rubric> = refine(
  object(
    {
      content: required(record(number())),
      structure: required(record(number())),
      content_score: lenient(number()),
      structure_score: lenient(number()),
      overall_score: lenient(number()),
    },
    loose,
  ),
  (raw, context, node) => {
    const content = mean(raw.content) ?? raw.content_score;
    const structure = mean(raw.structure) ?? raw.structure_score;
    const overall = content === null || structure === null ? raw.overall_score : content + structure;
    checkScore("content_score", raw.content_score, content, { context, node });
    checkScore("structure_score", raw.structure_score, structure, { context, node });
    checkScore("overall_score", raw.overall_score, overall, { context, node });
    return {
      content: raw.content,
      structure: raw.structure,
      contentScore: content,
      structureScore: structure,
      overallScore: overall,
    };
  },
);

const quality: Shape<OutputQuality> = refine(
  object(
    { score: lenient(number()), strengths: lenient(list(line)), weaknesses: lenient(list(line)) },
    loose,
  ),
  (raw) => ({ score: raw.score, strengths: raw.strengths ?? [], weaknesses: raw.weaknesses ?? [] }),
);

const results: Shape<ExpectationResults> = refine(
  object(
    {
      passed: lenient(number()),
      total: lenient(number()),
      pass_rate: lenient(number()),
      details: lenient(statements),
    },
    loose,
  ),
  (raw) => {
    const details = raw.details ?? [];
    if (details.length > 0) return { summary: countStatements(details), details };
    const [passed, total] = [raw.passed ?? 0, raw.total ?? 0];
    const passRate = raw.pass_rate ?? (total === 0 ? null : passed / total);
    return { summary: { passed, failed: total - passed, ungraded: 0, total, passRate }, details };
  },
);

const winner: Shape<ComparisonFile["winner"]> = refine(
  text(),
  (written, context, node) => {
    const name = written.trim().toUpperCase();
    if (name === "A" || name === "B" || name === "TIE") return name;
    return invalid(context, node, {
      code: "not-a-choice",
      message: `winner must be "A", "B" or "TIE", not ${JSON.stringify(written)}`,
    });
  },
  { enum: ["A", "B", "TIE"] },
);

/** comparison-N.json. Scores are computed from the points; a file that says otherwise gets a note. */
export const comparisonReader = resultFile<ComparisonFile>(
  "comparison",
  refine(
    object(
      {
        winner: required(winner),
        reasoning: required(line),
        rubric: required(sides(rubric)),
        output_quality: optionalOrNull(sides(quality)),
        expectation_results: optionalOrNull(sides(results)),
      },
      loose,
    ),
    (raw) => ({
      winner: raw.winner,
      reasoning: raw.reasoning,
      rubric: raw.rubric,
      outputQuality: raw.output_quality,
      expectationResults: raw.expectation_results,
      extras: raw.extras,
    }),
  ),
);

function sides<T>(side: Shape<T>): Shape<Sides<T>> {
  return refine(object({ A: required(side), B: required(side) }, loose), ({ A, B }) => ({ A, B }));
}

function mean(points: Readonly<Record<string, number>>): number | null {
  const values = Object.values(points);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Files round to one place, and add up what they have rounded. */
function checkScore(
  name: string,
  stated: number | null,
  computed: number | null,
  { context, node }: { context: ReadContext; node: DocNode },
): void {
  if (stated === null || computed === null || Math.abs(stated - computed) <= 0.11) return;
  context.report({
    severity: "note",
    offset: node.start,
    code: "score-differs",
    message: `${name} is ${stated}, but its points give ${Number(computed.toFixed(2))}; the points are used`,
  });
}
