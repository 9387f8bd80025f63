import { valueOf } from "../../lib/document/node.ts";
import { object, optionalOrNull, required } from "../../lib/shape/object.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { bool, list, nullable, number, oneOf, refine, text } from "../../lib/shape/values.ts";
import { type Extras, resultFile } from "./result-file.ts";

/** How the versions of a skill came about in improve mode. */
export interface History {
  readonly startedAt: string;
  readonly skillName: string;
  /** The version that the entries' own marks give where the two differ. */
  readonly currentBest: string;
  readonly iterations: readonly HistoryEntry[];
  readonly extras: Extras;
}

export interface HistoryEntry {
  readonly version: string;
  readonly parent: string | null;
  /** Null when the version was not graded. */
  readonly expectationPassRate: number | null;
  readonly gradingResult: "baseline" | "won" | "lost" | "tie";
  readonly isCurrentBest: boolean;
  readonly extras: Extras;
}

const entry: Shape<HistoryEntry> = refine(
  object(
    {
      version: required(text()),
      parent: optionalOrNull(text()),
      expectation_pass_rate: required(nullable(number({ min: 0, max: 1 }))),
      grading_result: required(oneOf(["baseline", "won", "lost", "tie"])),
      is_current_best: required(bool()),
    },
    { unknownKeys: "allowed" },
  ),
  (raw) => ({
    version: raw.version,
    parent: raw.parent,
    expectationPassRate: raw.expectation_pass_rate,
    gradingResult: raw.grading_result,
    isCurrentBest: raw.is_current_best,
    extras: raw.extras,
  }),
);

export const historyReader = resultFile<History>(
  "history",
  refine(
    object(
      {
        started_at: required(text()),
        skill_name: required(text()),
        current_best: required(text()),
        iterations: required(list(entry, { minLength: 1 })),
      },
      { unknownKeys: "allowed" },
    ),
    (raw, context, node) => {
      const marked = raw.iterations.filter((one) => one.isCurrentBest).map((one) => one.version);
      const only = marked.length === 1 ? marked[0] : undefined;
      if (only !== raw.current_best) {
        context.report({
          severity: "note",
          offset: valueOf(node, "current_best")?.start ?? node.start,
          code: "best-differs",
          message: `current_best is ${raw.current_best}, but the entries mark ${marked.join(" and ") || "none"}`,
        });
      }
      return {
        startedAt: raw.started_at,
        skillName: raw.skill_name,
        currentBest: only ?? raw.current_best,
        iterations: raw.iterations,
        extras: raw.extras,
      };
    },
  ),
);
