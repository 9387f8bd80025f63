import { valueOf } from "../../lib/document/node.ts";
import { object, required } from "../../lib/shape/object.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { list, record, refine, text } from "../../lib/shape/values.ts";
import { lenient, resultFile } from "./result-file.ts";

/** What a person wrote about the runs of an iteration. */
export interface Feedback {
  /** Null where the file does not say whether the person is done. */
  readonly status: "in_progress" | "complete" | null;
  readonly reviews: readonly Review[];
}

interface Review {
  /** The run's folder with hyphens for slashes; in the flat form whatever key the person used, often the eval's. */
  readonly runId: string;
  /** Empty means looked at and nothing to say. */
  readonly feedback: string;
  readonly timestamp: string | null;
}

const loose = { unknownKeys: "allowed" } as const;
const line = text({ blank: "allowed" });

const review: Shape<Review> = refine(
  object({ run_id: required(text()), feedback: required(line), timestamp: lenient(line) }, loose),
  (raw) => ({ runId: raw.run_id, feedback: raw.feedback, timestamp: raw.timestamp }),
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
  reviews: Object.entries(byName).map(([runId, feedback]) => ({ runId, feedback, timestamp: null })),
}));

export const feedbackReader = resultFile<Feedback>("feedback", {
  schema: { anyOf: [reviewed.schema, flat.schema] },
  read: (node, context) => (valueOf(node, "reviews") === undefined ? flat : reviewed).read(node, context),
});
