import { createHash } from "node:crypto";
import { seededRandom, shuffled } from "../stats/random.ts";
import type { Contender, Pair, Side } from "./pair.ts";

/** Who is A and who is B, and which judgement is about what. Fixed before anybody judges. */
export interface Assignment {
  readonly schema: 2;
  readonly seed: number;
  readonly versions: Readonly<Record<Contender, string>>;
  readonly judges: number;
  readonly pairs: readonly AssignedPair[];
}

interface AssignedPair {
  readonly case_id: string;
  readonly repetition: number;
  readonly sides: SidesOfPair;
  /** What lies where, by name. */
  readonly A: string;
  readonly B: string;
  /** The numbers of the judgements, one for each judge; none where both outputs are the same, so that nobody is asked. */
  readonly comparisons: readonly number[];
}

/** Which version the judges of one pair know as A, and which as B. */
export type SidesOfPair = Readonly<Record<Side, Contender>>;

export interface AssignmentInput {
  readonly pairs: readonly Pair[];
  readonly versions: Readonly<Record<Contender, string>>;
  readonly judges: number;
  readonly seed: number;
}

/** The sides of each pair, in their order. */
export function sidesOfPairs({
  pairs,
  versions,
  seed,
}: Pick<AssignmentInput, "pairs" | "versions" | "seed">): readonly SidesOfPair[] {
  return balancedSides(pairs, ["judges", seed, versions]).map((A) => ({ A, B: otherOf(A) }));
}

/** Judgements are numbered without gaps over the pairs that judges are asked about. */
export function assignSides(input: AssignmentInput, isAsked: (index: number) => boolean): Assignment {
  const { pairs, versions, judges, seed } = input;
  let last = 0;
  const sidesOf = sidesOfPairs(input);
  return {
    schema: 2,
    seed,
    versions,
    judges,
    pairs: pairs.map((pair, index) => {
      const sides = sidesOf[index] ?? { A: "first", B: "second" };
      return {
        case_id: pair.caseId,
        repetition: pair.repetition,
        sides,
        A: pair[sides.A].name,
        B: pair[sides.B].name,
        comparisons: isAsked(index) ? Array.from({ length: judges }, () => ++last) : [],
      };
    }),
  };
}

/**
 * Which version comes first in each pair: either in half of them, and which in which is chance that repeats. It depends on `about`
 * and on the pairs, so that one seed does not prefer the same version in every comparison.
 */
export function balancedSides(pairs: readonly Pair[], about: readonly unknown[]): readonly Contender[] {
  const ids = pairs.map(({ caseId, repetition }) => [caseId, repetition]);
  const digest = createHash("sha256")
    .update(JSON.stringify([about, ids]))
    .digest();
  const random = seededRandom(digest.readUIntBE(0, 6));
  const odd = random() < 0.5 ? 0 : 1;
  return shuffled(
    pairs.map((_, index): Contender => (index % 2 === odd ? "first" : "second")),
    random,
  );
}

export function sideOf(sides: SidesOfPair, contender: Contender): Side {
  return sides.A === contender ? "A" : "B";
}

export function otherOf(contender: Contender): Contender {
  return contender === "first" ? "second" : "first";
}
