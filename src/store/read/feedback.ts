import type { CheckReview, RunReview } from "../../domain/run-pages.ts";
import { valueOf } from "../../lib/document/node.ts";
import { object, required } from "../../lib/shape/object.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { bool, list, oneOf, record, refine, text } from "../../lib/shape/values.ts";
import { lenient, resultFile } from "./result-file.ts";

/** What a person wrote about the runs of an iteration. */
export interface Feedback {
  /** Null where the file does not say whether the person is done. */
  readonly status: "in_progress" | "complete" | null;
  /** In the flat form they are called by whatever key the person used, often the eval's. An empty one: nothing to say. */
  readonly reviews: readonly RunReview[];
}

const loose = { unknownKeys: "allowed" } as const;
const line = text({ blank: "allowed" });

const check: Shape<CheckReview> = refine(
  object(
    {
      check_id: required(text()),
      agrees: required(bool()),
      verdict: required(oneOf(["passed", "failed", "unscored"])),
      comment: lenient(line),
    },
    loose,
  ),
  ({ check_id, agrees, verdict, comment }) => ({
    checkId: check_id,
    agrees,
    verdict,
    comment: comment ?? "",
  }),
);

const review: Shape<RunReview> = refine(
  object(
    {
      run_id: required(text()),
      feedback: required(line),
      timestamp: lenient(line),
      checks: lenient(list(check)),
    },
    loose,
  ),
  ({ run_id, feedback, timestamp, checks }) => ({ runId: run_id, feedback, timestamp, checks: checks ?? [] }),
);

/** skill-creator's viewer and ours. */
const reviewed: Shape<Feedback> = refine(
  object({ reviews: required(list(review)), status: lenient(line) }, loose),
  ({ reviews, status }) => ({
    reviews,
    status: status === "in_progress" || status === "complete" ? status : null,
  }),
);

/** agentskills.io: a text for each eval. */
const flat: Shape<Feedback> = refine(record(line), (byName) => ({
  status: null,
  reviews: Object.entries(byName).map(([runId, feedback]) => ({
    runId,
    feedback,
    timestamp: null,
    checks: [],
  })),
}));

export const feedbackReader = resultFile<Feedback>("feedback", {
  schema: { anyOf: [reviewed.schema, flat.schema] },
  read: (node, context) => (valueOf(node, "reviews") === undefined ? flat : reviewed).read(node, context),
});
