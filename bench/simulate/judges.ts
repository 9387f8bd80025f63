import {
  type PairVotes,
  type RoundRobin,
  roundRobinTest,
  voicePerCase,
  voicePerPair,
} from "../../src/stats/blind-votes.ts";
import { betaCdf } from "../../src/stats/distributions.ts";
import type { Random } from "../../src/stats/random.ts";
import { drawNormal } from "./worlds.ts";

/** What an output is worth, and how long it is. */
interface Output {
  readonly worth: number;
  readonly length: number;
}

/** How a judge sees one output shown first beside one shown second: above zero prefers the second. */
interface JudgeKind {
  readonly name: string;
  readonly sees: (first: Output, second: Output, luck: { shared: number; own: number }) => number;
}

export const JUDGES: readonly JudgeKind[] = [
  { name: "identical", sees: (first, second, { shared }) => second.worth - first.worth + shared },
  { name: "position-biased", sees: (first, second, { own }) => second.worth - first.worth + own - 1 },
  {
    name: "length-biased",
    sees: (first, second, { own }) => second.worth - first.worth + 2 * (second.length - first.length) + own,
  },
  { name: "noisy", sees: (first, second, { own }) => second.worth - first.worth + 3 * own },
];

export interface JudgedDraw {
  readonly judge: JudgeKind;
  readonly cases: number;
  /** Per side. */
  readonly outputs: number;
  /** How much more the second side's outputs are worth, in standard deviations. */
  readonly ahead: number;
  readonly random: Random;
}

/** Three judges per pair, each in both orders; does a side win by one voice per pair of outputs, as `compare` decides it? */
export function winsByPair(draw: JudgedDraw): boolean {
  return voicePerPair(drawPairs(draw)).winner !== null;
}

/** The same by one voice per case, which speaks for other cases. */
export function winsByCase(draw: JudgedDraw): boolean {
  return voicePerCase(drawPairs(draw)).winner !== null;
}

/** The rule before: every judge of every pair was a coin of its own. */
export function winsByCoins(draw: JudgedDraw): boolean {
  return coinsName(drawPairs(draw).flatMap(({ votes }) => votes)) !== 0;
}

/** The side, -1 or 1, that more than half of the votes name, if coins would rarely name it as often; else 0. */
export function coinsName(votes: readonly number[]): number {
  const count = (side: number) => votes.filter((vote) => vote === side).length;
  const leading = Math.sign(count(1) - count(-1));
  const most = count(leading);
  if (leading === 0 || 2 * most <= votes.length) return 0;
  return betaCdf(1 / 4, most, votes.length - most + 1) <= 0.025 ? leading : 0;
}

function drawPairs({ judge, cases, outputs, ahead, random }: JudgedDraw): PairVotes[] {
  return Array.from({ length: cases }, (_, at) => {
    const sides = drawSides(outputs, ahead, random);
    return sides.first.map((output, run) => ({
      caseId: `${at}`,
      votes: votesOn(judge, output, sides.second[run] ?? output, random),
    }));
  }).flat();
}

/** Every two outputs of a case are judged; does a side win by permutation within cases? */
export function winsByRoundRobin({ judge, cases, outputs, ahead, random }: JudgedDraw): boolean {
  const drawn = Array.from({ length: cases }, (): RoundRobin => {
    const sides = drawSides(outputs, ahead, random);
    const all = [...sides.first, ...sides.second];
    const judgements = all.flatMap((left, at) =>
      all.slice(at + 1).map((right, after) => {
        const votes = votesOn(judge, left, right, random);
        const vote = votes.reduce((sum, one) => sum + one, 0) / votes.length;
        return { left: `${at}`, right: `${at + 1 + after}`, vote };
      }),
    );
    const names = all.map((_, at) => `${at}`);
    return { first: names.slice(0, outputs), second: names.slice(outputs), judgements };
  });
  return (roundRobinTest(drawn)?.pValue ?? 1) <= 0.05;
}

function drawSides(outputs: number, ahead: number, random: Random) {
  const side = (more: number) =>
    Array.from({ length: outputs }, () => ({ worth: drawNormal(random) + more, length: drawNormal(random) }));
  return { first: side(0), second: side(ahead) };
}

/** A judge who prefers another output when the order is turned around has said nothing. */
function votesOn(judge: JudgeKind, left: Output, right: Output, random: Random): number[] {
  const shared = 0.5 * drawNormal(random);
  return Array.from({ length: 3 }, () => {
    const luck = () => ({ shared, own: 0.5 * drawNormal(random) });
    const asShown = Math.sign(judge.sees(left, right, luck()));
    const turned = luck();
    const otherWay = -Math.sign(judge.sees(right, left, { ...turned, shared: -shared }));
    return asShown === otherWay ? asShown : 0;
  });
}
