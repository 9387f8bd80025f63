import type { GradingReading } from "../read/grading.ts";
import type { GradedStatement } from "../read/statements.ts";
import type { ForeignCheck, ForeignGrading, ForeignVerdict } from "./foreign.ts";

/**
 * What one eval asks: the statements that its metadata lists, then those that only its gradings have. Ids are those that
 * the loader of skill-creator's evals gives, so that checks of the same eval are known again.
 */
export function checksOf(
  asked: readonly string[],
  graded: readonly (readonly GradedStatement[])[],
): readonly ForeignCheck[] {
  const texts = [...new Set([...asked, ...graded.flat().map(({ text }) => text)])];
  const declared = new Map(
    graded.flat().flatMap(({ text, id }) => (id === null ? [] : [[text, id] as const])),
  );
  const taken = new Set<string>();
  return texts.map((text, index) => {
    const wanted = declared.get(text) ?? `expectation-${index + 1}`;
    const id = taken.has(wanted) ? `${wanted}-${index + 1}` : wanted;
    taken.add(id);
    return { id, layer: "L3", text };
  });
}

/** The verdicts of one run on these checks; what the grading says nothing about is unscored. */
export function gradingOf(
  checks: readonly ForeignCheck[],
  statements: readonly GradedStatement[],
  reading: Pick<GradingReading, "claims" | "evalFeedback">,
): ForeignGrading {
  const left = [...statements];
  const verdicts = checks.map(({ id, text }): ForeignVerdict => {
    const at = left.findIndex((statement) => statement.text === text);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (found === undefined)
      return {
        checkId: id,
        status: "unscored",
        evidence: "the grading says nothing about it",
        score: null,
        entry: null,
      };
    const status = found.status === "ungraded" ? "unscored" : found.status;
    return { checkId: id, status, evidence: found.evidence ?? "", score: found.score, entry: null };
  });
  const { claims, evalFeedback } = reading;
  return {
    verdicts,
    claims: claims.map(({ claim, type, verified, evidence }) => ({
      claim,
      type: type === "process" || type === "quality" ? type : "factual",
      verified: verified ?? false,
      evidence: evidence ?? "",
    })),
    evalFeedback:
      evalFeedback === null
        ? null
        : { suggestions: evalFeedback.suggestions, overall: evalFeedback.overall ?? "" },
  };
}

/** Statements that are graded although nobody asks for them, or asked for and graded nowhere. */
export function disagreement(
  asked: readonly string[],
  graded: readonly (readonly GradedStatement[])[],
): string | null {
  if (asked.length === 0 || graded.length === 0) return null;
  const known = new Set(graded.flat().map(({ text }) => text));
  const wanted = new Set(asked);
  const missing = asked.filter((text) => !known.has(text)).length;
  const extra = [...known].filter((text) => !wanted.has(text)).length;
  if (missing === 0 && extra === 0) return null;
  return `the gradings do not fit the eval: ${missing} of its ${asked.length} statements have no grade, and ${extra} graded ones are not among them`;
}
