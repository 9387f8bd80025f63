import { VARIANTS, type Variant } from "../../domain/trial.ts";
import { object, optional, optionalOrNull, required } from "../../lib/shape/object.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { bool, int, list, nullable, number, oneOf, text } from "../../lib/shape/values.ts";

/** What a program found out about one run. Only `case` is needed; null is "not known", and counts for neither side. */
export interface ReportRow {
  /** What was tried; rows of one case are its runs. */
  readonly case: string;
  readonly prompt?: string | undefined;
  readonly output?: string | null | undefined;
  /** All in one; `checks` say more. */
  readonly pass?: boolean | null | undefined;
  readonly checks?: readonly RowCheck[] | undefined;
  /** Default: with_skill. */
  readonly variant?: Variant | undefined;
  /** Counts from 1; default: the next of the case. */
  readonly run?: number | undefined;
  readonly durationMs?: number | null | undefined;
  readonly costUsd?: number | null | undefined;
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
  /** Why there is no result, such as a service that did not answer: the row counts for neither side. */
  readonly error?: string | null | undefined;
}

interface RowCheck {
  readonly text: string;
  readonly pass: boolean | null;
  readonly reason?: string | undefined;
}

const CHECK = object(
  {
    text: required(text()),
    pass: required(nullable(bool())),
    reason: optionalOrNull(text({ blank: "allowed" })),
  },
  { unknownKeys: "error" },
);

const ROW = object(
  {
    case: required(text()),
    prompt: optionalOrNull(text({ blank: "allowed" })),
    output: optionalOrNull(text({ blank: "allowed" })),
    pass: optionalOrNull(bool()),
    checks: optional(list(CHECK), []),
    variant: optional(oneOf(VARIANTS), "with_skill" as const),
    run: optionalOrNull(int({ min: 1 })),
    durationMs: optionalOrNull(number({ min: 0 })),
    costUsd: optionalOrNull(number({ min: 0 })),
    inputTokens: optionalOrNull(int({ min: 0 })),
    outputTokens: optionalOrNull(int({ min: 0 })),
    error: optionalOrNull(text()),
  },
  { unknownKeys: "error" },
);

/** A row with every field in its place. */
export type ReadRow = ShapeOf<typeof ROW>;

type ShapeOf<S> = S extends Shape<infer T> ? T : never;

export const ROWS: Shape<readonly ReadRow[]> = list(ROW, { minLength: 1 });
