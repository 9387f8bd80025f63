import type { FeedbackEdit, FeedbackPage, RunReview } from "../../../../domain/run-pages.ts";

/** Feedback as it is after these edits: a saved report has no server that applies them. */
export function withEdits(page: FeedbackPage, edits: readonly FeedbackEdit[]): FeedbackPage {
  return edits.reduce(withEdit, page);
}

function withEdit(page: FeedbackPage, edit: FeedbackEdit): FeedbackPage {
  if (edit.kind === "status") return { ...page, status: edit.status };
  const there = page.reviews.find(({ runId }) => runId === edit.runId);
  const review = changed(there ?? { runId: edit.runId, feedback: "", timestamp: null, checks: [] }, edit);
  return {
    ...page,
    reviews:
      there === undefined
        ? [...page.reviews, review]
        : page.reviews.map((one) => (one === there ? review : one)),
  };
}

function changed(review: RunReview, edit: Exclude<FeedbackEdit, { kind: "status" }>): RunReview {
  if (edit.kind === "text") return { ...review, feedback: edit.text };
  const { checkId, agrees, verdict, comment } = edit;
  const others = review.checks.filter((one) => one.checkId !== checkId);
  return {
    ...review,
    checks: agrees === null ? others : [...others, { checkId, agrees, verdict, comment }],
  };
}

/** As skill-creator and `assay improve` read it. */
export function feedbackFile({ reviews, status }: FeedbackPage, now: string): string {
  const file = {
    reviews: reviews.map(({ runId, feedback, timestamp, checks }) => ({
      run_id: runId,
      feedback,
      timestamp: timestamp ?? now,
      ...(checks.length > 0 && {
        checks: checks.map(({ checkId, ...check }) => ({ check_id: checkId, ...check })),
      }),
    })),
    status,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
