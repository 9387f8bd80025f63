import { stat } from "node:fs/promises";
import type { Machine } from "../../machine.ts";
import type { IterationFolder } from "../../store/layout.ts";
import { feedbackReader } from "../../store/read/feedback.ts";

/** What a person wrote about the runs of an iteration, one line for each run; none without a feedback.json. */
export async function readFeedback(
  { feedback }: Pick<IterationFolder, "feedback">,
  { note }: Pick<Machine, "note">,
): Promise<readonly string[]> {
  if ((await stat(feedback).catch(() => null)) === null) return [];
  const { value, diagnostics } = await feedbackReader.read(feedback);
  for (const diagnostic of diagnostics) note(diagnostic);
  return (value?.reviews ?? [])
    .filter((review) => review.feedback.trim() !== "")
    .map((review) => `${review.runId}: ${review.feedback.trim()}`);
}
