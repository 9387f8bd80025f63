import { type DocNode, valueOf } from "../../lib/document/node.ts";
import { object } from "../../lib/shape/object.ts";
import { type Invalid, invalid, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { int, list, number, refine, text } from "../../lib/shape/values.ts";
import { byKind, type Extras, lenient } from "./result-file.ts";
import { type GradedStatement, statements, statementsOf } from "./statements.ts";

/** One run of a benchmark; null is unknown. */
export interface BenchmarkRun {
  readonly evalId: string | number | null;
  readonly evalName: string | null;
  readonly configuration: string;
  readonly runNumber: number;
  readonly result: RunResult;
  readonly expectations: readonly GradedStatement[];
  readonly notes: readonly string[];
  readonly extras: Extras;
}

interface RunResult {
  readonly passRate: number | null;
  readonly passed: number | null;
  readonly failed: number | null;
  readonly total: number | null;
  readonly timeSeconds: number | null;
  readonly tokens: number | null;
  readonly toolCalls: number | null;
  readonly errors: number | null;
}

const line = text({ blank: "allowed" });
const loose = { unknownKeys: "allowed" } as const;
const amount = number({ min: 0 });

const resultFields = {
  pass_rate: lenient(amount),
  passed: lenient(amount),
  failed: lenient(amount),
  total: lenient(amount),
  time_seconds: lenient(amount),
  tokens: lenient(amount),
  tool_calls: lenient(amount),
  /** A count, or once a list of them. */
  errors: lenient(byKind<number>({ array: { schema: { type: "array" }, read: countOf } }, amount)),
};

const result: Shape<RunResult> = refine(object(resultFields, loose), (raw) => ({
  passRate: raw.pass_rate,
  passed: raw.passed,
  failed: raw.failed ?? difference(raw.total, raw.passed),
  total: raw.total,
  timeSeconds: raw.time_seconds,
  tokens: raw.tokens,
  toolCalls: raw.tool_calls,
  errors: raw.errors,
}));

export const benchmarkRun: Shape<BenchmarkRun> = refine(
  object(
    {
      eval_id: lenient(byKind<string | number>({ int: int() }, line)),
      eval_name: lenient(line),
      configuration: lenient(text()),
      config: lenient(text()),
      condition: lenient(text()),
      run_number: lenient(int({ min: 0 })),
      result: lenient(result),
      expectations: lenient(statements),
      assertions: lenient(statements),
      assertion_results: lenient(statements),
      notes: lenient(list(line)),
    },
    loose,
  ),
  (raw, context, node) => {
    const configuration = raw.configuration ?? raw.config ?? raw.condition;
    if (configuration === null) return noConfiguration(context, node);
    const figures = raw.result ?? flatResult(node, context);
    return {
      evalId: raw.eval_id,
      evalName: raw.eval_name,
      configuration,
      runNumber: raw.run_number ?? 1,
      result: figures,
      expectations: statementsOf(raw) ?? [],
      notes: raw.notes ?? [],
      extras: raw.extras,
    };
  },
);

/** Some tools put the figures beside the configuration. */
function flatResult(node: DocNode, context: ReadContext): RunResult {
  const flat = result.read(node, { path: context.path, report: () => {} });
  return typeof flat === "symbol" ? UNKNOWN_RESULT : flat;
}

const UNKNOWN_RESULT: RunResult = {
  passRate: null,
  passed: null,
  failed: null,
  total: null,
  timeSeconds: null,
  tokens: null,
  toolCalls: null,
  errors: null,
};

function noConfiguration(context: ReadContext, node: DocNode): Invalid {
  const paired = valueOf(node, "with_skill") !== undefined || valueOf(node, "without_skill") !== undefined;
  return invalid(context, node, {
    code: "no-configuration",
    message: paired
      ? "the run holds several configurations at once and is left out"
      : 'the run has no "configuration" and is left out',
  });
}

function countOf(node: DocNode): number {
  return node.kind === "array" ? node.elements.length : 0;
}

function difference(total: number | null, passed: number | null): number | null {
  return total === null || passed === null ? null : total - passed;
}
