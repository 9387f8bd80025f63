import { object } from "../../lib/shape/object.ts";
import { invalid, type Shape } from "../../lib/shape/shape.ts";
import { list, number, record, refine, text } from "../../lib/shape/values.ts";
import { type Extras, keysText, lenient, resultFile } from "./result-file.ts";

/** What the executor did; null is unknown. */
export interface Metrics {
  readonly toolCalls: Readonly<Record<string, number>> | null;
  readonly totalToolCalls: number | null;
  readonly totalSteps: number | null;
  readonly filesCreated: readonly string[] | null;
  readonly errorsEncountered: number | null;
  readonly outputChars: number | null;
  readonly transcriptChars: number | null;
  readonly extras: Extras;
}

const count = number({ min: 0 });

/** Inside other files: anything goes, and what is not known is kept. */
export const metricsShape: Shape<Metrics> = refine(
  object(
    {
      tool_calls: lenient(record(count)),
      total_tool_calls: lenient(count),
      total_steps: lenient(count),
      files_created: lenient(list(text())),
      errors_encountered: lenient(count),
      output_chars: lenient(count),
      transcript_chars: lenient(count),
    },
    { unknownKeys: "allowed" },
  ),
  (raw) => ({
    toolCalls: raw.tool_calls,
    totalToolCalls: raw.total_tool_calls ?? sum(raw.tool_calls),
    totalSteps: raw.total_steps,
    filesCreated: raw.files_created,
    errorsEncountered: raw.errors_encountered,
    outputChars: raw.output_chars,
    transcriptChars: raw.transcript_chars,
    extras: raw.extras,
  }),
);

/** metrics.json. Many tools write something else under this name; with none of the known fields it is refused. */
export const metricsReader = resultFile<Metrics>(
  "metrics",
  refine(metricsShape, (metrics, context, node) => {
    const { extras: _extras, ...known } = metrics;
    if (Object.values(known).some((value) => value !== null)) return metrics;
    return invalid(context, node, {
      code: "other-format",
      message: `none of the fields of metrics.json is there: ${keysText(node)}`,
      hint: "known fields: tool_calls, total_tool_calls, total_steps, files_created, errors_encountered, output_chars, transcript_chars",
    });
  }),
);

function sum(calls: Readonly<Record<string, number>> | null): number | null {
  return calls === null ? null : Object.values(calls).reduce((total, one) => total + one, 0);
}
