import type { Check } from "../../domain/check.ts";
import type { CheckedClaim, EvalFeedback } from "../../domain/grading.ts";
import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import { notShownEvidence } from "../evidence/not-shown.ts";
import type { EvidencePack } from "../evidence/pack.ts";
import type { Judge } from "../judge.ts";
import { judgeParts } from "./judge-parts.ts";
import { criteriaQuestion } from "./question.ts";
import type { CriteriaReply } from "./reply.ts";
import { type Reviewed, reviewReply } from "./review.ts";

/** What one judge came to. */
export interface Opinion {
  readonly byCheck: ReadonlyMap<string, Reviewed>;
  readonly claims: readonly CheckedClaim[];
  readonly evalFeedback: EvalFeedback | null;
  readonly usage: Usage;
  /** An answer was remembered from an earlier grading. */
  readonly cached: boolean;
}

export interface Brief {
  readonly checks: readonly Check[];
  readonly pack: EvidencePack;
  /** Everything in several questions, for what `pack` leaves open; absent or none: it has it all. */
  readonly parts?: () => readonly EvidencePack[];
  readonly expectedOutput: string | null;
  readonly repetition: number;
}

/**
 * Asks about all criteria at once, and once more about those whose verdict had no support, with the problem named. Both
 * questions depend on their content alone, so that both can be answered from a cache.
 */
export async function judgeCriteria(judge: Judge, brief: Brief, signal: AbortSignal): Promise<Opinion> {
  const byCheck = new Map<string, Reviewed>();
  let open = brief.checks;
  let ledAstray = false;
  let usage = UNKNOWN_USAGE;
  let cached = false;
  let notes: Pick<Opinion, "claims" | "evalFeedback"> = { claims: [], evalFeedback: null };
  for (let attempt = 1; attempt <= 2 && open.length > 0; attempt++) {
    const { question, byIndex } = criteriaQuestion({
      ...brief,
      checks: open,
      problems: problemsOf(byCheck),
      ledAstray,
    });
    const answer = await judge.ask(question, signal);
    usage = addUsage(usage, answer.usage);
    if (answer.status === "unanswered") {
      for (const { id } of open) {
        if (!byCheck.has(id))
          byCheck.set(id, {
            status: "unsupported",
            problem: `the judge gave no usable answer: ${answer.reason}`,
          });
      }
      break;
    }
    cached ||= answer.cached;
    const review = reviewReply(answer.value, { byIndex, pack: brief.pack, last: attempt === 2 });
    for (const [id, reviewed] of review.byCheck) byCheck.set(id, withNotShown(reviewed, brief.pack));
    open = open.filter(({ id }) => byCheck.get(id)?.status === "unsupported");
    // A judge that was led astray is not heard on anything else either.
    const silent = notes.claims.length === 0 && notes.evalFeedback === null;
    if (!review.ledAstray && silent) notes = notesOf(answer.value, byIndex);
    ({ ledAstray } = review);
  }
  const parts = open.length === 0 ? [] : (brief.parts?.() ?? []);
  if (parts.length === 0) return { byCheck, usage, cached, ...notes };
  const read = await judgeParts(judge, { ...brief, checks: open, parts }, signal);
  for (const [id, reviewed] of read.byCheck) byCheck.set(id, reviewed);
  return { byCheck, usage: addUsage(usage, read.usage), cached: cached || read.cached, ...notes };
}

/** A verdict on the most relevant evidence says what else there was. */
function withNotShown(reviewed: Reviewed, { notShown }: EvidencePack): Reviewed {
  return "evidence" in reviewed
    ? { ...reviewed, evidence: [...reviewed.evidence, ...notShownEvidence(notShown)] }
    : reviewed;
}

function problemsOf(byCheck: ReadonlyMap<string, Reviewed>): ReadonlyMap<string, string> {
  return new Map(
    [...byCheck].flatMap(([id, reviewed]) =>
      reviewed.status === "unsupported" ? [[id, reviewed.problem] as const] : [],
    ),
  );
}

function notesOf(
  { claims, feedback }: CriteriaReply,
  byIndex: ReadonlyMap<number, Check | null>,
): Pick<Opinion, "claims" | "evalFeedback"> {
  const suggestions = feedback.suggestions.flatMap(({ criterion, reason }) => {
    const check = criterion === null ? undefined : byIndex.get(criterion);
    // The canary is ours, and no criterion of the author's.
    if (check === null) return [];
    return [{ assertion: check?.text ?? null, reason }];
  });
  return {
    claims,
    evalFeedback: suggestions.length === 0 ? null : { suggestions, overall: feedback.overall },
  };
}
