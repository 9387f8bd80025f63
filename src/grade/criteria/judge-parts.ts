import type { Check } from "../../domain/check.ts";
import type { Usage } from "../../domain/run.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import { notShownEvidence } from "../evidence/not-shown.ts";
import type { EvidencePack } from "../evidence/pack.ts";
import type { Judge } from "../judge.ts";
import { criteriaQuestion } from "./question.ts";
import { type Reviewed, reviewReply } from "./review.ts";

export interface PartsBrief {
  readonly checks: readonly Check[];
  readonly parts: readonly EvidencePack[];
  readonly expectedOutput: string | null;
  readonly repetition: number;
}

/** Puts criteria that the most relevant evidence did not decide to every part of the evidence, and joins what is found. */
export async function judgeParts(
  judge: Judge,
  { checks, parts, ...brief }: PartsBrief,
  signal: AbortSignal,
): Promise<{ byCheck: ReadonlyMap<string, Reviewed>; usage: Usage; cached: boolean }> {
  const found: ReadonlyMap<string, Reviewed>[] = [];
  let usage = UNKNOWN_USAGE;
  let cached = false;
  for (const pack of parts) {
    const { question, byIndex } = criteriaQuestion({
      ...brief,
      checks,
      pack,
      problems: new Map(),
      ledAstray: false,
    });
    const answer = await judge.ask(question, signal);
    usage = addUsage(usage, answer.usage);
    if (answer.status === "unanswered") {
      const problem = `the judge gave no usable answer: ${answer.reason}`;
      found.push(new Map(checks.map(({ id }) => [id, { status: "unsupported", problem }])));
      continue;
    }
    cached ||= answer.cached;
    found.push(reviewReply(answer.value, { byIndex, pack, last: true }).byCheck);
  }
  const unread = parts.flatMap(({ notShown }) => notShown);
  const byCheck = new Map(
    checks.map(({ id }) => [
      id,
      joined(
        found.map((part) => part.get(id) ?? UNSAID),
        [...new Set(unread)],
      ),
    ]),
  );
  return { byCheck, usage, cached };
}

const UNSAID: Reviewed = { status: "unsupported", problem: "the judge gave no verdict on it" };

type Decided = Extract<Reviewed, { readonly status: "passed" | "failed" }>;

function isDecided(reviewed: Reviewed): reviewed is Decided {
  return reviewed.status === "passed" || reviewed.status === "failed";
}

/**
 * What was seen outweighs what was not: a failure that can be shown, then a pass that can. That something is absent holds
 * only when every part was read and says so.
 */
export function joined(reviews: readonly Reviewed[], unread: readonly string[]): Reviewed {
  const decided = reviews.filter(isDecided);
  const seen = decided.filter(({ evidence }) => evidence.some(({ kind }) => kind === "quote"));
  const shown = seen.find(({ status }) => status === "failed") ?? seen[0];
  if (shown !== undefined) return { ...shown, evidence: [...shown.evidence, ...notShownEvidence(unread)] };
  const unreadable = reviews.find(({ status }) => status === "unreadable");
  if (unreadable !== undefined) return unreadable;
  const [first] = decided;
  const isEvery =
    decided.length === reviews.length && decided.every(({ status }) => status === first?.status);
  if (first === undefined || !isEvery) {
    const open = reviews.find((one) => one.status === "unsupported");
    const problem = open?.status === "unsupported" ? open.problem : "the parts got different verdicts";
    return { status: "unsupported", problem: `the evidence was read in ${reviews.length} parts: ${problem}` };
  }
  if (unread.length > 0)
    return {
      status: "unsupported",
      problem: `nothing was found, but not everything was read; not shown: ${unread.join("; ")}`,
    };
  return {
    ...first,
    evidence: [
      ...decided.flatMap(({ evidence }) => evidence),
      { kind: "measure", text: `read in ${reviews.length} parts, each shown whole` },
    ],
  };
}
