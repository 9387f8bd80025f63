import { stat } from "node:fs/promises";
import type { FeedbackEdit, FeedbackPage, RunReview } from "../../domain/run-pages.ts";
import { UserError } from "../../domain/user-error.ts";
import type { IterationFolder } from "../../store/layout.ts";
import { type Feedback, feedbackReader } from "../../store/read/feedback.ts";
import { editFeedback } from "../../store/write/feedback.ts";
import { feedbackId } from "./feedback-id.ts";
import { notFound, type StoredResults, type ViewedIteration } from "./stored.ts";

export async function feedbackPage(
  stored: StoredResults,
  { at, folder }: ViewedIteration,
): Promise<FeedbackPage> {
  const { status, reviews } = await feedbackIn(folder);
  return { at, status: status ?? "in_progress", reviews, previous: await previousReviews(stored, at) };
}

/** Writes one change down; the answer is all of it as it is then. */
export async function changeFeedback(
  stored: StoredResults,
  found: ViewedIteration,
  { edit, now }: { readonly edit: FeedbackEdit; readonly now: Date },
): Promise<FeedbackPage> {
  const { folder, state } = found;
  const runs = [...state.runs.values()];
  const known = new Set(runs.map((run) => feedbackId(run.folder)));
  if (edit.kind !== "status" && !known.has(edit.runId))
    throw notFound(`no run is called ${JSON.stringify(edit.runId)}`);
  const tasks = new Set(state.cases.filter(({ kind }) => kind === "task").map(({ id }) => id));
  const runIds = runs.filter(({ trial }) => tasks.has(trial.caseId)).map((run) => feedbackId(run.folder));
  await editFeedback(folder.feedback, edit, { at: now.toISOString(), runIds });
  return feedbackPage(stored, found);
}

/** What a browser sent, if it is an edit. Throws a UserError for anything else. */
export function readEdit(value: unknown): FeedbackEdit {
  const edit = value as FeedbackEdit | null;
  if (isEdit(edit)) return edit;
  throw new UserError("view/bad-request", "that is not a feedback edit");
}

function isEdit(edit: FeedbackEdit | null): edit is FeedbackEdit {
  const areTexts = (...values: readonly unknown[]) => values.every((value) => typeof value === "string");
  switch (edit?.kind) {
    case "text":
      return areTexts(edit.runId, edit.text, edit.was);
    case "status":
      return ["complete", "in_progress"].includes(edit.status);
    case "check":
      return (
        areTexts(edit.runId, edit.checkId, edit.comment) &&
        ["passed", "failed", "unscored"].includes(edit.verdict) &&
        (edit.agrees === null || typeof edit.agrees === "boolean")
      );
    default:
      return false;
  }
}

async function feedbackIn({ feedback }: Pick<IterationFolder, "feedback">): Promise<Feedback> {
  if ((await stat(feedback).catch(() => null)) === null) return { status: null, reviews: [] };
  const { value, diagnostics } = await feedbackReader.read(feedback);
  if (value !== null) return value;
  throw new UserError("view/feedback-unreadable", "feedback.json cannot be read", { diagnostics });
}

/** Of the last iteration before it that has any. */
async function previousReviews(
  stored: StoredResults,
  { skill, n }: ViewedIteration["at"],
): Promise<readonly RunReview[]> {
  const earlier = (await stored.iterations(skill)).filter(({ number }) => number < n);
  for (const { folder } of earlier.toReversed()) {
    const { reviews } = await feedbackIn(folder).catch(() => ({ reviews: [] }));
    if (reviews.length > 0) return reviews;
  }
  return [];
}
