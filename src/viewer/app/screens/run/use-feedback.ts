import type { IterationAddress } from "../../../../domain/pages.ts";
import type { CheckReview, FeedbackEdit, FeedbackPage, RunReview } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { outboxOf, type SavedState } from "../../outbox.ts";
import { isStatic } from "../../source.ts";
import { withEdits } from "./local-feedback.ts";

/** What a person says of one run, saved as they type. */
export interface RunFeedback {
  readonly page: FeedbackPage | null;
  readonly review: RunReview | null;
  readonly previous: RunReview | null;
  /** As they have it before them. */
  readonly text: string;
  readonly saved: SavedState;
  readonly write: (text: string) => void;
  readonly judge: (check: Omit<CheckReview, "agrees"> & { readonly agrees: boolean | null }) => void;
  readonly complete: (status: FeedbackPage["status"]) => void;
}

/** A text is sent when the typing stops for so long. */
const PAUSE_MS = 500;

export function useFeedback(at: IterationAddress, runId: string): RunFeedback {
  const outbox = outboxOf<FeedbackEdit, FeedbackPage>({ request: ask.feedback(at), nameOf, follow });
  const saved = outbox.saved.value;
  const told = outbox.page.value;
  const page = told !== null && isStatic ? withEdits(told, outbox.waiting()) : told;
  const reviewIn = (reviews: readonly RunReview[] | undefined) =>
    reviews?.find((one) => one.runId === runId) ?? null;
  const typed = () =>
    outbox.waiting().find((edit): edit is TextEdit => edit.kind === "text" && edit.runId === runId);
  const stored = reviewIn(page?.reviews)?.feedback ?? "";
  return {
    page,
    review: reviewIn(page?.reviews),
    previous: reviewIn(page?.previous),
    text: typed()?.text ?? stored,
    saved,
    write: (text) => outbox.put({ kind: "text", runId, text, was: typed()?.was ?? stored }, PAUSE_MS),
    judge: (check) => outbox.put({ kind: "check", runId, ...check }),
    complete: (status) => outbox.put({ kind: "status", status }),
  };
}

type TextEdit = Extract<FeedbackEdit, { kind: "text" }>;

function nameOf(edit: FeedbackEdit): string {
  if (edit.kind === "status") return "status";
  return edit.kind === "text" ? `text ${edit.runId}` : `check ${edit.runId} ${edit.checkId}`;
}

/** What was typed since was typed after what the server has now. */
function follow(later: FeedbackEdit, sent: FeedbackEdit): FeedbackEdit {
  return later.kind === "text" && sent.kind === "text" ? { ...later, was: sent.text } : later;
}
