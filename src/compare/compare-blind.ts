import type { Json } from "../domain/json.ts";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Judge } from "../grade/judge.ts";
import { NO_JUDGE } from "../grade/no-judge.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { mapConcurrently } from "../lib/concurrent.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import type { ComparisonFolder } from "../store/layout.ts";
import { type Assignment, assignSides, sideOf, sidesOfPairs, type SidesOfPair } from "./assignment.ts";
import { pairHider } from "./blind.ts";
import { comparisonFile, passRate } from "./comparison-file.ts";
import { type AskedPair, type Judgement, judgePair } from "./judge-pair.ts";
import { openFolder } from "./open-folder.ts";
import { type BlindOutcome, blindOutcome, outcomeFile, type SpeakingToJudges } from "./outcome.ts";
import type { Contender, Pair } from "./pair.ts";
import { blindPack, samePack } from "./question.ts";

export interface BlindRequest {
  readonly pairs: readonly Pair[];
  readonly versions: Readonly<Record<Contender, string>>;
  /** Words that would tell the versions apart: numbers, paths, names of branches. */
  readonly markers: readonly string[];
  /** How many are asked about each pair. */
  readonly judges: number;
  /** Who has which place among them, from 0; null: nobody. */
  readonly judgeFor: (one: Case, place: number) => Judge | null;
  readonly seed: number;
  /** What a p-value must reach; absent: 0.05. */
  readonly alpha?: number | undefined;
  readonly folder: ComparisonFolder;
  readonly mask: SecretMask;
  /** Judgements under way at once; each is two questions. */
  readonly concurrency: number;
  /** Told after each judgement. */
  readonly onJudged?: (judged: number, total: number) => void;
}

/**
 * Both orders of every pair to every judge. The sides are written down before the first question, and every judgement
 * as it comes. Called again after an interruption, it asks only what a caching judge has not answered.
 */
export async function compareBlind(request: BlindRequest, signal: AbortSignal): Promise<BlindOutcome> {
  const { pairs, folder } = request;
  const sides = sidesOfPairs(request);
  const sidesOf = (index: number) => sides[index] ?? { A: "first", B: "second" };
  const asked = await mapConcurrently(pairs, 4, (pair, index) => toAsk(pair, sidesOf(index), request));
  const assignment = assignSides(request, (index) => asked[index] !== null);
  await openFolder(folder, assignment, writer(request.mask));
  const places = Array.from({ length: request.judges }, (_, place) => place);
  const jobs = asked.flatMap((one, index) =>
    one === null ? [] : places.map((place) => ({ asked: one, index, place })),
  );
  let judged = 0;
  const made = await mapConcurrently(jobs, request.concurrency, async (job) => {
    const judge = request.judgeFor(job.asked.case, job.place);
    const judgement =
      judge === null ? NOBODY : await judgePair(judge, job.asked, { place: job.place, signal });
    await keep(judgement, { ...job, sides: sidesOf(job.index) }, { request, assignment });
    request.onJudged?.(++judged, jobs.length);
    return { index: job.index, judgement };
  });
  const byPair = asked.map((one, index) =>
    one === null
      ? null
      : {
          judgements: made.filter((each) => each.index === index).map((each) => each.judgement),
          addressed: addressedBy(one, sidesOf(index)),
        },
  );
  const outcome = blindOutcome(pairs, byPair, { assignment, alpha: request.alpha });
  await writer(request.mask)(folder.outcome, outcomeFile(outcome));
  return outcome;
}

const NOBODY: Judgement = {
  verdict: null,
  problem: NO_JUDGE,
  replies: { AB: { status: "unanswered", reason: NO_JUDGE }, BA: { status: "unanswered", reason: NO_JUDGE } },
  model: "",
  usage: UNKNOWN_USAGE,
};

/** Null where both outputs are the same, so that there is nothing to ask. */
async function toAsk(
  pair: Pair,
  sides: SidesOfPair,
  { markers, judges, judgeFor }: BlindRequest,
): Promise<AskedPair | null> {
  const hide = pairHider(pair, markers);
  const { case: one } = pair.second.subject;
  // All judges are shown the same.
  const images = Array.from({ length: judges }, (_, place) => judgeFor(one, place)).every(
    (judge) => judge?.takesImages ?? false,
  );
  const [a, b] = [pair[sides.A], pair[sides.B]];
  const packs = { A: await blindPack(a, { hide, images }), B: await blindPack(b, { hide, images }) };
  if (samePack(packs.A, packs.B)) return null;
  const passRates = { A: passRate(a.expectations), B: passRate(b.expectations) };
  return { case: one, packs, passRates, hide };
}

function addressedBy({ packs }: AskedPair, sides: SidesOfPair): SpeakingToJudges {
  const of = (who: Contender) => packs[sideOf(sides, who)].addressed;
  return { first: of("first"), second: of("second") };
}

async function keep(
  judgement: Judgement,
  { index, place, sides }: { readonly index: number; readonly place: number; readonly sides: SidesOfPair },
  { request, assignment }: { readonly request: BlindRequest; readonly assignment: Assignment },
): Promise<void> {
  const pair = request.pairs[index];
  const number = assignment.pairs[index]?.comparisons[place];
  if (pair === undefined || number === undefined) return;
  const write = writer(request.mask);
  await write(request.folder.replies(number), judgement.replies);
  if (judgement.verdict === null) return;
  const expectations = { A: pair[sides.A].expectations, B: pair[sides.B].expectations };
  const around = { pair, expectations, judge: place + 1, model: judgement.model };
  await write(request.folder.comparison(number), comparisonFile(judgement.verdict, around));
}

function writer(mask: SecretMask): (path: string, value: unknown) => Promise<void> {
  return (path, value) => writeFileAtomic(path, `${JSON.stringify(mask.json(value as Json), null, 2)}\n`);
}
