import { type DocNode, valueOf } from "../../lib/document/node.ts";
import { object } from "../../lib/shape/object.ts";
import { INVALID, type Invalid, invalid, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { int, list, number, refine, text, wrongType } from "../../lib/shape/values.ts";
import { type BenchmarkRun, benchmarkRun } from "./benchmark-run.ts";
import {
  type BenchmarkDelta,
  type ConfigurationSummary,
  runSummary,
  type RunSummary,
} from "./benchmark-summary.ts";
import { byKind, type Extras, keysText, lenient, resultFile } from "./result-file.ts";

export interface BenchmarkReading {
  readonly metadata: BenchmarkMetadata;
  readonly runs: readonly BenchmarkRun[];
  /** In the file's order; the names are whatever the file uses. */
  readonly configurations: readonly ConfigurationSummary[];
  readonly delta: BenchmarkDelta;
  readonly notes: readonly string[];
  readonly extras: Extras;
}

interface BenchmarkMetadata {
  readonly skillName: string | null;
  readonly skillPath: string | null;
  readonly executorModel: string | null;
  readonly analyzerModel: string | null;
  readonly timestamp: string | null;
  readonly evalsRun: readonly (string | number)[] | null;
  readonly runsPerConfiguration: number | null;
}

const line = text({ blank: "allowed" });
const loose = { unknownKeys: "allowed" } as const;
/** skill-creator's aggregator leaves this where it knows no model. */
const model = refine(line, (name) => (name === "<model-name>" || name.trim() === "" ? null : name));

const metadataFields = {
  skill_name: lenient(line),
  skill_path: lenient(line),
  executor_model: lenient(model),
  analyzer_model: lenient(model),
  timestamp: lenient(line),
  evals_run: lenient(list(byKind<string | number>({ int: int() }, line))),
  runs_per_configuration: lenient(number({ min: 0 })),
};

const benchmark: Shape<BenchmarkReading> = refine(
  object(
    {
      metadata: lenient(object(metadataFields, loose)),
      skill_name: lenient(line),
      skill_path: lenient(line),
      runs: lenient(runList()),
      run_summary: lenient(runSummary),
      notes: lenient(list(line)),
    },
    loose,
  ),
  (raw, context, node) => {
    const summary = raw.run_summary ?? summaryAtTop(node, context);
    if (summary === null && (raw.runs === null || raw.runs.length === 0)) return otherFormat(context, node);
    const { metadata } = raw;
    return {
      metadata: {
        skillName: metadata?.skill_name ?? raw.skill_name,
        skillPath: metadata?.skill_path ?? raw.skill_path,
        executorModel: metadata?.executor_model ?? null,
        analyzerModel: metadata?.analyzer_model ?? null,
        timestamp: metadata?.timestamp ?? null,
        evalsRun: metadata?.evals_run ?? null,
        runsPerConfiguration: metadata?.runs_per_configuration ?? null,
      },
      runs: raw.runs ?? [],
      configurations: summary?.configurations ?? [],
      delta: summary?.delta ?? { passRate: null, timeSeconds: null, tokens: null },
      notes: raw.notes ?? [],
      extras: raw.extras,
    };
  },
);

/** benchmark.json of skill-creator, of agentskills.io (only a summary, numbers as deltas) and of Assay. */
export const benchmarkReader = resultFile<BenchmarkReading>("benchmark", benchmark);

/** A run that cannot be read is noted and left out; the others stay. */
function runList(): Shape<readonly BenchmarkRun[]> {
  const each = list(benchmarkRun);
  return {
    schema: each.schema,
    read(node, context) {
      if (node.kind !== "array") return wrongType(node, context, "a list");
      return node.elements.flatMap((element, index) => {
        const run = lenient(benchmarkRun).shape.read(element, {
          report: context.report,
          path: { parent: context.path, key: index },
        });
        return run === null || run === INVALID ? [] : [run];
      });
    },
  };
}

/** Some tools write the configurations and the delta at the top of the file. */
function summaryAtTop(node: DocNode, context: ReadContext): RunSummary | null {
  if (valueOf(node, "delta") === undefined || node.kind !== "object") return null;
  const entries = node.entries.filter(({ key }) => key === "delta" || /(?:^|_)skill(?:$|_)/.test(key));
  const measured = entries.filter(
    ({ key, value }) => key !== "delta" && valueOf(value, "pass_rate") !== undefined,
  );
  if (measured.length === 0) return null;
  context.report({
    severity: "note",
    offset: node.start,
    code: "summary-at-top",
    message: 'the configurations are at the top of the file instead of in "run_summary"',
  });
  const summary = runSummary.read(
    { ...node, entries: entries.filter(({ value }) => value.kind === "object") },
    context,
  );
  return summary === INVALID ? null : summary;
}

function otherFormat(context: ReadContext, node: DocNode): Invalid {
  const emptyRuns = valueOf(node, "runs") !== undefined;
  return invalid(context, node, {
    code: "other-format",
    message: emptyRuns
      ? "no run and no summary in it can be read"
      : `there is neither "runs" nor "run_summary": ${keysText(node)}`,
    hint: "each run is {eval_id, configuration, run_number, result}, each summary {pass_rate, time_seconds, tokens} with mean and stddev",
  });
}
