import type { Run } from "../../domain/run.ts";

/** metrics.json in skill-creator's shape, from the stream and not from the agent's own account. */
export interface MetricsFile {
  readonly tool_calls: Readonly<Record<string, number>>;
  readonly total_tool_calls: number;
  /** Model responses. */
  readonly total_steps: number;
  readonly files_created: readonly string[];
  readonly files_modified: readonly string[];
  /** Failed tool results. */
  readonly errors_encountered: number;
  /** Characters of the text files among the outputs, without metrics.json. */
  readonly output_chars: number;
  readonly transcript_chars: number;
}

export interface MeasuredChars {
  readonly outputChars: number;
  readonly transcriptChars: number;
}

export function metricsFile(run: Run, chars: MeasuredChars): MetricsFile {
  const paths = (change: "created" | "modified") =>
    run.changes.filter((file) => file.change === change).map((file) => file.path);
  return {
    tool_calls: run.toolCalls,
    total_tool_calls: Object.values(run.toolCalls).reduce((sum, count) => sum + count, 0),
    total_steps: run.steps,
    files_created: paths("created"),
    files_modified: paths("modified"),
    errors_encountered: run.toolErrors,
    output_chars: chars.outputChars,
    transcript_chars: chars.transcriptChars,
  };
}
