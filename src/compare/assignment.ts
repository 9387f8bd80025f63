import { seededRandom } from "../stats/random.ts";
import type { Contender, Pair, Side } from "./pair.ts";

/** Who is A and who is B, and which judgement is about what. Fixed before anybody judges. */
export interface Assignment {
  readonly schema: 1;
  readonly seed: number;
  readonly A: Contender;
  readonly B: Contender;
  readonly versions: Readonly<Record<Contender, string>>;
  readonly judges: number;
  readonly pairs: readonly AssignedPair[];
}

interface AssignedPair {
  readonly case_id: string;
  readonly repetition: number;
  readonly A: string;
  readonly B: string;
  /** The numbers of the judgements, one for each judge. */
  readonly comparisons: readonly number[];
}

export interface AssignmentInput {
  readonly pairs: readonly Pair[];
  readonly versions: Readonly<Record<Contender, string>>;
  readonly judges: number;
  readonly seed: number;
}

/** One coin for the whole comparison, so that A is the same version in every file. Both orders are judged anyway. */
export function assignSides({ pairs, versions, judges, seed }: AssignmentInput): Assignment {
  const [A, B]: [Contender, Contender] =
    seededRandom(seed)() < 0.5 ? ["first", "second"] : ["second", "first"];
  return {
    schema: 1,
    seed,
    A,
    B,
    versions,
    judges,
    pairs: pairs.map((pair, index) => ({
      case_id: pair.caseId,
      repetition: pair.repetition,
      A: pair[A].name,
      B: pair[B].name,
      comparisons: Array.from({ length: judges }, (_, judge) => index * judges + judge + 1),
    })),
  };
}

export function sideOf(assignment: Pick<Assignment, "A">, contender: Contender): Side {
  return assignment.A === contender ? "A" : "B";
}
