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
  /** Which one the checks prefer; null: they cannot tell. */
  readonly judged: Choice | null;
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
        return [pairOf({ prompt: one.prompt, run, partner, tested, other })];
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
}

function pairOf({ prompt, run, partner, tested, other }: Two): BlindPair {
  const testedLeft = hashOf(`${run.trial} side`) % 2 === 0;
  const shares = [shareOf(run), shareOf(partner)] as const;
  const better = Math.sign(shares[0] - shares[1]);
  const judged = Number.isNaN(better)
    ? null
    : better === 0
      ? "tie"
      : better > 0 === testedLeft
        ? "left"
        : "right";
  return {
    id: run.trial,
    prompt,
    left: testedLeft ? run.trial : partner.trial,
    right: testedLeft ? partner.trial : run.trial,
    leftVariant: testedLeft ? tested.variant : other.variant,
    testedLeft,
    judged,
  };
}

/** Of the checks that were scored, how many passed. */
function shareOf({ verdicts }: GridRun): number {
  const passed = verdicts.split("p").length - 1;
  const failed = verdicts.split("f").length - 1;
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
  readonly agreed: number;
  readonly compared: number;
  /** Null until every pair has its vote: before, it would steer the reader. */
  readonly wins: number | null;
  readonly losses: number;
  readonly ties: number;
}

export function agreementOf(pairs: readonly BlindPair[], votes: readonly BlindVote[]): Agreement {
  const byId = new Map(pairs.map((pair) => [pair.id, pair]));
  let [agreed, compared, wins, losses, ties] = [0, 0, 0, 0, 0];
  for (const { pair: id, choice } of votes) {
    const pair = byId.get(id);
    if (pair === undefined) continue;
    if (choice === "tie") ties++;
    else if ((choice === "left") === pair.testedLeft) wins++;
    else losses++;
    if (choice === "tie" || pair.judged === null || pair.judged === "tie") continue;
    compared++;
    if (choice === pair.judged) agreed++;
  }
  return { agreed, compared, wins: votes.length < pairs.length ? null : wins, losses, ties };
}
