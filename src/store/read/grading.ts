import { type DocNode, valueOf } from "../../lib/document/node.ts";
import { object, required } from "../../lib/shape/object.ts";
import { type Invalid, invalid, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { bool, list, number, refine, text } from "../../lib/shape/values.ts";
import { type Metrics, metricsShape } from "./metrics.ts";
import { byKind, type Extras, keysText, lenient, resultFile } from "./result-file.ts";
import {
  countStatements,
  type GradedStatement,
  type StatementCounts,
  statementFields,
  statementsOf,
} from "./statements.ts";
import { type Timing, timingShape } from "./timing.ts";

export interface GradingReading {
  /** One list for each run in the file; nearly always one. */
  readonly runs: readonly (readonly GradedStatement[])[];
  /** Counted from the statements of all runs, whatever the file's own summary says. */
  readonly summary: StatementCounts;
  readonly metrics: Metrics | null;
  readonly timing: Timing | null;
  readonly claims: readonly ReadClaim[];
  readonly userNotes: {
    readonly uncertainties: readonly string[];
    readonly needsReview: readonly string[];
    readonly workarounds: readonly string[];
  };
  readonly evalFeedback: {
    readonly suggestions: readonly { readonly assertion: string | null; readonly reason: string }[];
    readonly overall: string | null;
  } | null;
  readonly extras: Extras;
}

export interface ReadClaim {
  readonly claim: string;
  readonly type: string | null;
  readonly verified: boolean | null;
  readonly evidence: string | null;
}

const line = text({ blank: "allowed" });
const loose = { unknownKeys: "allowed" } as const;
const lines = byKind<readonly string[]>({ string: refine(line, (one) => [one]) }, list(line));

const claim: Shape<ReadClaim> = object(
  {
    claim: required(line),
    type: lenient(line),
    verified: lenient(bool()),
    evidence: lenient(line),
  },
  loose,
);

const suggestion = byKind(
  { string: refine(line, (reason) => ({ assertion: null, reason })) },
  refine(object({ assertion: lenient(line), reason: lenient(line) }, loose), ({ assertion, reason }) => ({
    assertion,
    reason: reason ?? "",
  })),
);

const summary = object(
  {
    passed: lenient(number()),
    failed: lenient(number()),
    total: lenient(number()),
    pass_rate: lenient(number()),
  },
  loose,
);

const unscored = refine(
  list(object({ id: lenient(line), text: lenient(line), reason: lenient(line) }, loose)),
  (entries): readonly GradedStatement[] =>
    entries.map(({ id, text, reason, extras }) => ({
      text: text ?? "",
      status: "ungraded",
      evidence: reason,
      id,
      score: null,
      extras,
    })),
);

const grading: Shape<GradingReading> = refine(
  object(
    {
      ...statementFields,
      runs: lenient(list(object(statementFields, loose))),
      unscored: lenient(unscored),
      summary: lenient(summary),
      execution_metrics: lenient(metricsShape),
      timing: lenient(timingShape),
      claims: lenient(list(claim)),
      user_notes_summary: lenient(
        object(
          { uncertainties: lenient(lines), needs_review: lenient(lines), workarounds: lenient(lines) },
          loose,
        ),
      ),
      eval_feedback: lenient(
        byKind(
          { string: refine(line, (overall) => ({ suggestions: [], overall })) },
          refine(
            object({ suggestions: lenient(list(suggestion)), overall: lenient(line) }, loose),
            (raw) => ({
              suggestions: raw.suggestions ?? [],
              overall: raw.overall,
            }),
          ),
        ),
      ),
    },
    loose,
  ),
  (raw, context, node) => {
    const single = statementsOf(raw)?.concat(raw.unscored ?? []) ?? null;
    const runs = single === null ? (raw.runs ?? []).map((run) => statementsOf(run) ?? []) : [single];
    if (single === null && !runs.some((run) => run.length > 0)) return otherFormat(context, node);
    const counted = countStatements(runs.flat());
    if (raw.summary !== null) compareSummary(raw.summary, counted, { context, node });
    return {
      runs,
      summary: counted,
      metrics: raw.execution_metrics,
      timing: raw.timing,
      claims: raw.claims ?? [],
      userNotes: {
        uncertainties: raw.user_notes_summary?.uncertainties ?? [],
        needsReview: raw.user_notes_summary?.needs_review ?? [],
        workarounds: raw.user_notes_summary?.workarounds ?? [],
      },
      evalFeedback: raw.eval_feedback,
      extras: raw.extras,
    };
  },
);

/** grading.json of skill-creator, of agentskills.io and of Assay. */
export const gradingReader = resultFile<GradingReading>("grading", grading);

function otherFormat(context: ReadContext, node: DocNode): Invalid {
  const several = ["with_skill", "without_skill", "old_skill"].some(
    (key) => valueOf(node, key) !== undefined,
  );
  return invalid(context, node, {
    code: "other-format",
    message: several
      ? `the gradings of several configurations are in one file: ${keysText(node)}`
      : `there is no list of graded statements: ${keysText(node)}`,
    hint: several
      ? "write one grading.json for each run"
      : '"expectations" is the list; "assertions", "assertion_results" and "runs" are read too',
  });
}

/** A difference is noted and our count holds. Rates are often rounded to two places. */
function compareSummary(
  stated: { passed: number | null; failed: number | null; total: number | null; pass_rate: number | null },
  counted: StatementCounts,
  { context, node }: { context: ReadContext; node: DocNode },
): void {
  const withUngraded = counted.total + counted.ungraded;
  const differences = [
    differs("passed", stated.passed, [counted.passed]),
    differs("failed", stated.failed, [counted.failed, counted.failed + counted.ungraded]),
    differs("total", stated.total, [counted.total, withUngraded]),
    differs("pass_rate", stated.pass_rate, [
      counted.passRate ?? 0,
      withUngraded === 0 ? 0 : counted.passed / withUngraded,
    ]),
  ].filter((difference) => difference !== null);
  if (differences.length === 0) return;
  context.report({
    severity: "note",
    offset: valueOf(node, "summary")?.start ?? node.start,
    code: "summary-differs",
    message: `the summary does not fit the statements: ${differences.join(", ")}; the count of the statements is used`,
  });
}

function differs(name: string, stated: number | null, counted: readonly number[]): string | null {
  if (stated === null || counted.some((value) => Math.abs(value - stated) < 0.0051)) return null;
  return `${name} is ${stated}, counted ${Number((counted[0] ?? 0).toFixed(4))}`;
}
