import { object } from "../../lib/shape/object.ts";
import { invalid, type Shape } from "../../lib/shape/shape.ts";
import { number, refine, text } from "../../lib/shape/values.ts";
import { type Extras, keysText, lenient, resultFile } from "./result-file.ts";

/** How long a run took and what it used; null is unknown. */
export interface Timing {
  readonly totalTokens: number | null;
  readonly durationMs: number | null;
  readonly totalDurationSeconds: number | null;
  readonly executorStart: string | null;
  readonly executorEnd: string | null;
  readonly executorDurationSeconds: number | null;
  readonly graderStart: string | null;
  readonly graderEnd: string | null;
  readonly graderDurationSeconds: number | null;
  readonly extras: Extras;
}

const amount = number({ min: 0 });

/** Every field may be missing or null; seconds are derived from milliseconds and the other way round. */
export const timingShape: Shape<Timing> = refine(
  object(
    {
      total_tokens: lenient(amount),
      duration_ms: lenient(amount),
      elapsed_ms: lenient(amount),
      total_duration_seconds: lenient(amount),
      duration_seconds: lenient(amount),
      elapsed_seconds: lenient(amount),
      executor_start: lenient(text()),
      executor_end: lenient(text()),
      executor_duration_seconds: lenient(amount),
      grader_start: lenient(text()),
      grader_end: lenient(text()),
      grader_duration_seconds: lenient(amount),
    },
    { unknownKeys: "allowed" },
  ),
  (raw) => {
    const ms = raw.duration_ms ?? raw.elapsed_ms;
    const seconds = raw.total_duration_seconds ?? raw.duration_seconds ?? raw.elapsed_seconds;
    const whole = seconds ?? (ms === null ? raw.executor_duration_seconds : ms / 1000);
    return {
      totalTokens: raw.total_tokens,
      durationMs: ms ?? (whole === null ? null : Math.round(whole * 1000)),
      totalDurationSeconds: whole,
      executorStart: raw.executor_start,
      executorEnd: raw.executor_end,
      executorDurationSeconds: raw.executor_duration_seconds,
      graderStart: raw.grader_start,
      graderEnd: raw.grader_end,
      graderDurationSeconds: raw.grader_duration_seconds,
      extras: raw.extras,
    };
  },
);

/** timing.json; one that holds no figure at all is refused. */
export const timingReader = resultFile<Timing>(
  "timing",
  refine(timingShape, (timing, context, node) => {
    const { extras: _extras, ...known } = timing;
    if (Object.values(known).some((value) => value !== null)) return timing;
    return invalid(context, node, {
      code: "other-format",
      message: `none of the fields of timing.json is there: ${keysText(node)}`,
      hint: "known fields: total_tokens, duration_ms, total_duration_seconds, executor_* and grader_*",
    });
  }),
);
