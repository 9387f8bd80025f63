import { stat } from "node:fs/promises";
import type { IterationFolder } from "../../store/layout.ts";
import { feedbackReader } from "../../store/read/feedback.ts";
import { renderDiagnostics } from "../../cli/render/diagnostics.ts";
import type { Machine } from "../../machine.ts";

/** What a person wrote about the runs of an iteration, one line for each run; none without a feedback.json. */
export async function readFeedback(
  { feedback }: Pick<IterationFolder, "feedback">,
  machine: Machine,
): Promise<readonly string[]> {
  if ((await stat(feedback).catch(() => null)) === null) return [];
  const { value, diagnostics } = await feedbackReader.read(feedback);
  machine.err(renderDiagnostics(diagnostics, { decorated: machine.decorated.err, cwd: machine.cwd }));
  return (value?.reviews ?? [])
    .filter((review) => review.feedback.trim() !== "")
    .map((review) => `${review.runId}: ${review.feedback.trim()}`);
}
