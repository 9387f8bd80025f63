import type { Json, JsonObject } from "../../domain/json.ts";
import type { FeedbackEdit } from "../../domain/run-pages.ts";
import { editJson, isJsonObject } from "./edit-json.ts";

export interface FeedbackEditing {
  /** ISO 8601. */
  readonly at: string;
  /** Of all runs: a review that is complete says of each that it was looked at. */
  readonly runIds: readonly string[];
}

/** Changes one thing in feedback.json and leaves the rest as it is. */
export async function editFeedback(
  path: string,
  edit: FeedbackEdit,
  editing: FeedbackEditing,
): Promise<void> {
  await editJson(path, (file) => afterEdit(file, edit, editing));
}

function afterEdit(file: JsonObject, edit: FeedbackEdit, { at, runIds }: FeedbackEditing): JsonObject {
  const reviews = reviewsOf(file);
  const rest = Array.isArray(file["reviews"]) ? file : {};
  if (edit.kind === "status") {
    const { status } = edit;
    return { ...rest, reviews: status === "complete" ? withAll(reviews, runIds, at) : reviews, status };
  }
  const there = reviews.find((review) => review["run_id"] === edit.runId);
  const review = { run_id: edit.runId, feedback: "", ...there, timestamp: at };
  const changed =
    edit.kind === "text" ? { ...review, feedback: joined(textOf(review), edit) } : withCheck(review, edit);
  return {
    ...rest,
    reviews:
      there === undefined ? [...reviews, changed] : reviews.map((one) => (one === there ? changed : one)),
    status: file["status"] === "complete" ? "complete" : "in_progress",
  };
}

function reviewsOf(file: JsonObject): readonly JsonObject[] {
  const { reviews } = file;
  if (Array.isArray(reviews)) return (reviews as readonly Json[]).filter(isJsonObject);
  // agentskills.io's form: a text for each eval.
  return Object.entries(file).flatMap(([run_id, feedback]) =>
    typeof feedback === "string" ? [{ run_id, feedback, timestamp: null }] : [],
  );
}

function withAll(
  reviews: readonly JsonObject[],
  runIds: readonly string[],
  at: string,
): readonly JsonObject[] {
  const known = new Set(reviews.map((review) => review["run_id"]));
  const silent = runIds.filter((id) => !known.has(id));
  return [...reviews, ...silent.map((run_id) => ({ run_id, feedback: "", timestamp: at }))];
}

function textOf({ feedback }: JsonObject): string {
  return typeof feedback === "string" ? feedback : "";
}

/** Where somebody else wrote in the meantime, their text stays beside this one. */
function joined(there: string, { text, was }: Extract<FeedbackEdit, { kind: "text" }>): string {
  if (there === was || there === "" || text.includes(there)) return text;
  // The same edit again, as when its first answer was lost.
  if (text.includes(was) && there.includes(text)) return there;
  if (was !== "" && there.includes(was)) return there.replace(was, () => text);
  return text === "" || there.includes(text) ? there : `${there}\n\n${text}`;
}

function withCheck(
  review: JsonObject,
  { checkId, agrees, verdict, comment }: Extract<FeedbackEdit, { kind: "check" }>,
): JsonObject {
  const { checks } = review;
  const others = (Array.isArray(checks) ? (checks as readonly Json[]) : []).filter(
    (one) => !isJsonObject(one) || one["check_id"] !== checkId,
  );
  const own = agrees === null ? [] : [{ check_id: checkId, agrees, verdict, comment }];
  return { ...review, checks: [...others, ...own] };
}
