import type { Case } from "../../src/domain/suite.ts";
import type { Random } from "../../src/stats/random.ts";
import { compareOnTheseCases } from "../../src/stats/these-cases.ts";
import { type Split, splitQueries } from "../../src/triggers/split.ts";
import { claimOf } from "../../src/triggers/query.ts";

const ATTEMPTS = 5;
const RUNS = 3;
/** As `improve --description` splits its queries. */
const SHARES = { validation: 0.3, test: 0.3 };

export interface DescriptionDraw {
  readonly queries: number;
  /** How often a query that should fire does with the description there is, and with each of the drafts. */
  readonly recall: { readonly original: number; readonly drafts: number };
  readonly random: Random;
}

/**
 * Whether a draft is taken for an improvement: chosen among five by the queries to choose by, a tie going to the original,
 * then compared run by run on the queries that nothing was chosen by. Half of the queries should fire; the others do in one
 * run of twenty.
 */
export function adoptsDescription({ queries, recall, random }: DescriptionDraw): boolean {
  const { validation, test } = splitOf(queries);
  if (validation.length === 0 || test.length === 0) return false;
  const rightIn = (one: Case, fires: number): number[] =>
    Array.from({ length: RUNS }, () => {
      const { expected } = claimOf(one);
      return Number(random() < (expected ? fires : 0.05) === expected);
    });
  const passed = (fires: number): number =>
    validation.filter((one) => 2 * rightIn(one, fires).filter(Boolean).length >= RUNS).length;
  const original = passed(recall.original);
  const isChosen = Array.from({ length: ATTEMPTS - 1 }, () => passed(recall.drafts)).some(
    (count) => count > original,
  );
  if (!isChosen) return false;
  const fresh = test.map((one) => ({
    treatment: rightIn(one, recall.drafts),
    baseline: rightIn(one, recall.original),
  }));
  return compareOnTheseCases(fresh).verdict === "better";
}

const splits = new Map<number, Split>();

function splitOf(queries: number): Split {
  const known = splits.get(queries);
  if (known !== undefined) return known;
  const asked = Array.from(
    { length: queries },
    (_, at) => ({ id: `${at}`, checks: [{ kind: "fires", expected: at % 2 === 0 }] }) as unknown as Case,
  );
  const split = splitQueries(asked, { seed: 1, shares: SHARES });
  splits.set(queries, split);
  return split;
}
