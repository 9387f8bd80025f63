import type { Usage } from "../domain/run.ts";
import { addUsage } from "../domain/usage.ts";
import type { EvidencePack } from "../grade/evidence/pack.ts";
import type { Judge } from "../grade/judge.ts";
import type { Sides } from "../store/read/comparison.ts";
import { type JudgeVerdict, mergeOrders, type PassRates, readOrder } from "./merge.ts";
import type { Case } from "../domain/suite.ts";
import { comparisonQuestion } from "./question.ts";
import type { ComparisonReply } from "./reply.ts";

/** A judge on a pair: its verdict, or why there is none, and what it replied to each order. */
export interface Judgement {
  readonly verdict: JudgeVerdict | null;
  /** Null with a verdict. */
  readonly problem: string | null;
  readonly replies: { readonly AB: OrderReply; readonly BA: OrderReply };
  readonly model: string;
  readonly usage: Usage;
}

type OrderReply =
  | { readonly status: "answered"; readonly reply: ComparisonReply }
  | { readonly status: "unanswered"; readonly reason: string };

export interface AskedPair {
  readonly case: Case;
  readonly packs: Sides<EvidencePack>;
  readonly passRates: PassRates;
  readonly hide: (text: string) => string;
}

/** Asks one judge about both orders. A verdict needs an answer to each. Rejects only on abort. */
export async function judgePair(
  judge: Judge,
  { case: one, packs, passRates, hide }: AskedPair,
  { place, signal }: { readonly place: number; readonly signal: AbortSignal },
): Promise<Judgement> {
  const ask = (shown: readonly [EvidencePack, EvidencePack]) =>
    judge.ask(comparisonQuestion({ case: one, packs: shown, hide, judge: place }), signal);
  const [ab, ba] = await Promise.all([ask([packs.A, packs.B]), ask([packs.B, packs.A])]);
  const base = {
    replies: { AB: toReply(ab), BA: toReply(ba) },
    model: judge.model,
    usage: addUsage(ab.usage, ba.usage),
  };
  if (ab.status === "unanswered" || ba.status === "unanswered") {
    const reasons = [ab, ba].flatMap((answer) => (answer.status === "unanswered" ? [answer.reason] : []));
    return { ...base, verdict: null, problem: [...new Set(reasons)].join("; ") };
  }
  const verdict = mergeOrders(
    readOrder(ab.value, "A", passRates),
    readOrder(ba.value, "B", passRates),
    passRates,
  );
  return { ...base, verdict, problem: null };
}

function toReply(answer: Awaited<ReturnType<Judge["ask"]>>): OrderReply {
  if (answer.status === "unanswered") return { status: "unanswered", reason: answer.reason };
  return { status: "answered", reply: answer.value as ComparisonReply };
}
