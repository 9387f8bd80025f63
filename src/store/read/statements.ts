import type { DocNode } from "../../lib/document/node.ts";
import { object, optionalOrNull, required } from "../../lib/shape/object.ts";
import { type Invalid, invalid, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { bool, list, nullable, number, refine, text } from "../../lib/shape/values.ts";
import { byKind, type Extras, lenient } from "./result-file.ts";

/** One graded statement of a result file. */
export interface GradedStatement {
  readonly text: string;
  readonly status: "passed" | "failed" | "ungraded";
  readonly evidence: string | null;
  readonly id: string | null;
  readonly score: number | null;
  /** Further keys, as they are. */
  readonly extras: Extras;
}

export interface StatementCounts {
  readonly passed: number;
  readonly failed: number;
  readonly ungraded: number;
  /** Passed and failed. */
  readonly total: number;
  /** Null when nothing is graded. */
  readonly passRate: number | null;
}

const anyText = text({ blank: "allowed" });

/** `3` and `"3"` name the same thing. */
const idText: Shape<string> = byKind({ int: refine(number(), String), string: anyText }, text());

const statement: Shape<GradedStatement> = refine(
  object(
    {
      text: optionalOrNull(anyText),
      expectation: optionalOrNull(anyText),
      assertion: optionalOrNull(anyText),
      name: lenient(anyText),
      passed: required(nullable(bool())),
      evidence: lenient(byKind({ array: refine(list(anyText), (lines) => lines.join("\n")) }, anyText)),
      reason: lenient(anyText),
      id: lenient(idText),
      score: lenient(number()),
    },
    { unknownKeys: "allowed" },
  ),
  (raw, context, node) => {
    const said = raw.text ?? raw.expectation ?? raw.assertion ?? raw.name;
    if (said === null) return noText(context, node);
    let status: GradedStatement["status"] = "ungraded";
    if (raw.passed !== null) status = raw.passed ? "passed" : "failed";
    const { id, score, extras } = raw;
    return { text: said, status, evidence: raw.evidence ?? raw.reason, id, score, extras };
  },
);

export const statements: Shape<readonly GradedStatement[]> = list(statement);

/** The names that tools give the list of graded statements, ours first. */
export const STATEMENT_KEYS = ["expectations", "assertions", "assertion_results"] as const;

export const statementFields = {
  expectations: optionalOrNull(statements),
  assertions: optionalOrNull(statements),
  assertion_results: optionalOrNull(statements),
};

export function statementsOf(
  raw: Readonly<Record<(typeof STATEMENT_KEYS)[number], readonly GradedStatement[] | null>>,
): readonly GradedStatement[] | null {
  return raw.expectations ?? raw.assertions ?? raw.assertion_results;
}

export function countStatements(graded: readonly GradedStatement[]): StatementCounts {
  const count = (status: GradedStatement["status"]) => graded.filter((one) => one.status === status).length;
  const [passed, failed, ungraded] = [count("passed"), count("failed"), count("ungraded")];
  const total = passed + failed;
  return { passed, failed, ungraded, total, passRate: total === 0 ? null : passed / total };
}

function noText(context: ReadContext, node: DocNode): Invalid {
  return invalid(context, node, {
    code: "missing-key",
    message: 'a graded statement has no "text"',
    hint: '"expectation" is read too',
  });
}
