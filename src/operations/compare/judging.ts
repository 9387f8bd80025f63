import { analyze, type AnalysisOutcome } from "../../compare/analyze/analyze.ts";
import { compareBlind } from "../../compare/compare-blind.ts";
import { askPerson, type HumanAnswer } from "../../compare/human.ts";
import type { BlindOutcome } from "../../compare/outcome.ts";
import { seatsFor } from "../../engine/models/judges.ts";
import type { CompareCall } from "./call.ts";
import { markersOf } from "./markers.ts";
import type { ComparedSides } from "./compared-sides.ts";

/** How the judges get on. */
export type CompareEvent =
  /** `questions` are at most asked: what was answered before is not asked again. */
  | { readonly kind: "judging-started"; readonly pairs: number; readonly questions: number }
  | { readonly kind: "pair-judged"; readonly judged: number; readonly total: number };

/** Judgements under way at once where nobody says. */
const CONCURRENCY = 4;

/** Shows the pairs to a person. */
export function askAbout(
  sides: ComparedSides,
  call: CompareCall,
  ask: (text: string) => Promise<string>,
): Promise<readonly HumanAnswer[]> {
  return askPerson({ ...aroundPairs(sides, call), ask });
}

/** Shows the pairs to the judges. */
export function judgePairs(
  sides: ComparedSides,
  call: CompareCall,
  on: (event: CompareEvent) => void,
): Promise<BlindOutcome> {
  const { settled, run, door } = call;
  const { find } = run.models;
  const cases = sides.pairs.map((pair) => pair.second.subject.case);
  const judges = seatsFor(cases, find, settled.judges);
  const pairs = sides.pairs.length;
  on({ kind: "judging-started", pairs, questions: 2 * judges * pairs });
  return compareBlind(
    {
      ...aroundPairs(sides, call),
      judges,
      alpha: sides.alpha,
      judgeFor: find,
      concurrency: settled.concurrency ?? CONCURRENCY,
      onJudged: (judged, total) => on({ kind: "pair-judged", judged, total }),
    },
    door.signal,
  );
}

/** Asks why it came out so; null where there is nobody to ask. */
export async function analyzeWhy(
  { pairs, skills, folder }: ComparedSides,
  outcome: BlindOutcome,
  { run: { models }, door }: CompareCall,
): Promise<AnalysisOutcome | null> {
  const [pair] = pairs;
  const judge = pair === undefined ? null : models.find(pair.second.subject.case);
  if (judge === null) return null;
  return analyze({ pairs, outcome, skills, judge, folder, mask: models.mask }, door.signal);
}

function aroundPairs(sides: ComparedSides, { settled, run }: CompareCall) {
  const { pairs, folder, versions } = sides;
  return { pairs, folder, versions, markers: markersOf(sides), seed: settled.seed, mask: run.models.mask };
}
