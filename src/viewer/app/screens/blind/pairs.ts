import type { GridArm, GridRun, IterationPage } from "../../../../domain/pages.ts";
import { inOrder } from "../../verdicts.ts";
import type { Variant } from "../../../../domain/trial.ts";

export type Choice = "left" | "right" | "tie";

/** Two answers to one prompt, in an order that says nothing. */
export interface BlindPair {
  readonly id: string;
  readonly prompt: string;
  readonly left: string;
  readonly right: string;
  readonly leftVariant: Variant;
  /** The left one is of the arm under test. */
  readonly testedLeft: boolean;
  /** Which one all checks, and those of the judge alone, prefer; null: they cannot tell. */
  readonly preferred: { readonly checks: Choice | null; readonly judge: Choice | null };
}

export interface BlindVote {
  readonly pair: string;
  readonly choice: Choice;
}

/** The same repetition of both arms; sides and order are dealt by the names, so that they stay. */
export function blindPairs({ cases }: Pick<IterationPage, "cases">): readonly BlindPair[] {
  return inOrder(cases)
    .flatMap((one) => {
      const [tested, other] = one.arms;
      if (one.kind !== "task" || tested === undefined || other === undefined) return [];
      return tested.runs.flatMap((run) => {
        const partner = other.runs.find(({ repetition }) => repetition === run.repetition);
        if (partner === undefined || run.status !== "completed" || partner.status !== "completed") return [];
        const byJudge = one.checks.map(({ layer }) => layer === "L3");
        return [pairOf({ prompt: one.prompt, run, partner, tested, other, byJudge })];
      });
    })
    .toSorted((a, b) => hashOf(a.id) - hashOf(b.id));
}

interface Two {
  readonly prompt: string;
  readonly run: GridRun;
  readonly partner: GridRun;
  readonly tested: GridArm;
  readonly other: GridArm;
  /** Of each check, whether a judge decides it. */
  readonly byJudge: readonly boolean[];
}

function pairOf({ prompt, run, partner, tested, other, byJudge }: Two): BlindPair {
  const testedLeft = hashOf(`${run.trial} side`) % 2 === 0;
  const preferred = (isMeant: (at: number) => boolean): Choice | null => {
    const better = Math.sign(shareOf(run, isMeant) - shareOf(partner, isMeant));
    if (Number.isNaN(better)) return null;
    return better === 0 ? "tie" : better > 0 === testedLeft ? "left" : "right";
  };
  return {
    id: run.trial,
    prompt,
    left: testedLeft ? run.trial : partner.trial,
    right: testedLeft ? partner.trial : run.trial,
    leftVariant: testedLeft ? tested.variant : other.variant,
    testedLeft,
    preferred: { checks: preferred(() => true), judge: preferred((at) => byJudge[at] === true) },
  };
}

/** Of the checks that are meant and were scored, how many passed. */
function shareOf({ verdicts }: GridRun, isMeant: (at: number) => boolean): number {
  let [passed, failed] = [0, 0];
  for (let at = 0; at < verdicts.length; at++) {
    if (verdicts[at] === "p" && isMeant(at)) passed++;
    if (verdicts[at] === "f" && isMeant(at)) failed++;
  }
  return passed / (passed + failed);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

interface Agreement {
  /** Votes that say what the checks say, of those where both chose a side. */
  readonly checks: { readonly agreed: number; readonly compared: number };
  readonly judge: { readonly agreed: number; readonly compared: number };
  /** Null until every pair has its vote: before, it would steer the reader. */
  readonly wins: number | null;
  readonly losses: number;
  readonly ties: number;
}

export function agreementOf(pairs: readonly BlindPair[], votes: readonly BlindVote[]): Agreement {
  const byId = new Map(pairs.map((pair) => [pair.id, pair]));
  const given = votes.flatMap(({ pair: id, choice }) => {
    const pair = byId.get(id);
    return pair === undefined ? [] : [{ pair, choice }];
  });
  const among = (who: keyof BlindPair["preferred"]) => {
    const sides = given.filter(
      ({ pair, choice }) => choice !== "tie" && pair.preferred[who] !== null && pair.preferred[who] !== "tie",
    );
    const agreed = sides.filter(({ pair, choice }) => pair.preferred[who] === choice);
    return { agreed: agreed.length, compared: sides.length };
  };
  const ties = given.filter(({ choice }) => choice === "tie").length;
  const wins = given.filter(
    ({ pair, choice }) => choice !== "tie" && (choice === "left") === pair.testedLeft,
  ).length;
  return {
    checks: among("checks"),
    judge: among("judge"),
    wins: votes.length < pairs.length ? null : wins,
    losses: given.length - ties - wins,
    ties,
  };
}
