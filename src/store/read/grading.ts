import { type DocNode, valueOf } from "../../lib/document/node.ts";
import { object, optionalOrNull, required } from "../../lib/shape/object.ts";
import { INVALID, type Invalid, invalid, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { bool, list, number, refine, text } from "../../lib/shape/values.ts";
import { type Metrics, metricsShape } from "./metrics.ts";
import { byKind, type Extras, keysText, lenient, resultFile } from "./result-file.ts";
import {
  countStatements,
  type GradedStatement,
  type StatementCounts,
  statementFields,
  statements,
  statementsOf,
} from "./statements.ts";
import { type Timing, timingShape } from "./timing.ts";

export interface GradingReading {
  /** One list for each run in the file; nearly always one. */
  readonly runs: readonly (readonly GradedStatement[])[];
  /** By configuration, where one file holds the gradings of several; then `runs` is empty. */
  readonly arms: Readonly<Record<string, readonly GradedStatement[]>>;
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

/** Names under which one file holds several gradings. */
const CONFIGURATIONS = ["with_skill", "without_skill", "new_skill", "old_skill", "baseline"] as const;

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

/** Statements, or an object around them. */
const arm: Shape<readonly GradedStatement[]> = byKind(
  { object: refine(object(statementFields, loose), (raw) => statementsOf(raw) ?? []) },
  statements,
);

const armFields = Object.fromEntries(CONFIGURATIONS.map((name) => [name, optionalOrNull(arm)]));

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
      ...armFields,
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
    const arms = armsOf(raw);
    const isGraded = [...runs, ...Object.values(arms)].some((list) => list.length > 0);
    if (single === null && !isGraded) return otherFormat(context, node);
    const counted = countStatements([...runs, ...Object.values(arms)].flat());
    if (raw.summary !== null) compareSummary(raw.summary, counted, { context, node });
    return {
      runs,
      arms,
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

/** One grading.json for a whole iteration: what was graded, by eval. Keys that hold no grading are left out. */
export const gradingsReader = resultFile<Readonly<Record<string, GradingReading>>>("grading", {
  schema: { type: "object" },
  read(node, context) {
    const entries = node.kind === "object" ? node.entries : [];
    const found = entries.flatMap(({ key, value }) => {
      const reading = grading.read(value, { path: context.path, report: () => {} });
      return reading === INVALID ? [] : [[key, reading] as const];
    });
    return found.length === 0 ? otherFormat(context, node) : Object.fromEntries(found);
  },
});

function armsOf(raw: object): GradingReading["arms"] {
  const held = raw as Readonly<Record<string, readonly GradedStatement[] | null>>;
  return Object.fromEntries(
    CONFIGURATIONS.flatMap((name) => (held[name] ? [[name, held[name]] as const] : [])),
  );
}

function otherFormat(context: ReadContext, node: DocNode): Invalid {
  return invalid(context, node, {
    code: "other-format",
    message: `there is no list of graded statements: ${keysText(node)}`,
    hint: '"expectations" is the list; "assertions", "assertion_results", "runs" and "with_skill" beside "without_skill" are read too',
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
