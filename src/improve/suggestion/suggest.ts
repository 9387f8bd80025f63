import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import type { Judge } from "../../grade/judge.ts";
import { applyEdits, type Edit, type RefusedEdit } from "../edit.ts";
import { feedbackIds, suggestionQuestion, type SuggestionContext } from "./question.ts";

export type Suggestion =
  | {
      readonly status: "suggested";
      readonly summary: string;
      /** In the order in which they are made. */
      readonly edits: readonly Edit[];
      /** What was proposed twice and still cannot be made. */
      readonly dropped: readonly RefusedEdit[];
      /** SKILL.md with the edits. */
      readonly text: string;
      /** The other files that the edits change, by path; absent: none. */
      readonly files?: Readonly<Record<string, string>>;
      readonly usage: Usage;
    }
  | { readonly status: "unanswered"; readonly reason: string; readonly usage: Usage };

/**
 * Asks for edits and makes them on a copy of the text. Edits that break a rule are named to the model once; those that
 * still do are dropped, and the rest stands.
 */
export async function suggestEdits(
  context: SuggestionContext,
  { judge, objection }: { judge: Judge; objection: (text: string) => string | null },
  signal: AbortSignal,
): Promise<Suggestion> {
  const wasRejected = ({ file, anchor, replacement }: Edit) =>
    context.rejected.some(
      (edit) => edit.file === file && edit.anchor === anchor && edit.replacement === replacement,
    );
  const rules = {
    known: new Set([...context.failing.map(({ id }) => id), ...feedbackIds(context)]),
    files: context.files,
    most: context.mostEdits,
    objection: (edit: Edit, text: string) =>
      wasRejected(edit) ? "it was tried before and did not help" : objection(text),
  };
  let usage = UNKNOWN_USAGE;
  let refused: readonly RefusedEdit[] = [];
  for (let asked = 1; ; asked++) {
    const answer = await judge.ask(suggestionQuestion(context, refused), signal);
    usage = addUsage(usage, answer.usage);
    if (answer.status === "unanswered") return { status: "unanswered", reason: answer.reason, usage };
    const { summary, edits } = answer.value;
    const made = applyEdits(context.skillText, edits, rules);
    refused = made.refused;
    if (refused.length === 0 || asked === 2) {
      const { applied: kept, text, files } = made;
      return { status: "suggested", summary, edits: kept, dropped: refused, text, files, usage };
    }
  }
}
