import { createHash } from "node:crypto";
import type { Case } from "../domain/suite.ts";
import { claimOf } from "./query.ts";

/** Queries to learn from, to choose by, and to report on; no query is in two of them. */
export interface Split {
  readonly train: readonly Case[];
  readonly validation: readonly Case[];
  /** Never looked at before the end. */
  readonly test: readonly Case[];
}

export interface Shares {
  readonly validation: number;
  readonly test: number;
}

/**
 * The same queries and seed give the same split, in whatever order they come. Each part gets its share of the queries that
 * should fire and of those that should not; a side with too few for all three fills train first, then test.
 */
export function splitQueries(
  queries: readonly Case[],
  { seed, shares }: { seed: number; shares: Shares },
): Split {
  const parts = [true, false].map((expected) => {
    const side = shuffled(
      queries.filter((one) => claimOf(one).expected === expected),
      seed,
    );
    const test = portion(side.length, shares.test, 1);
    const validation = portion(side.length, shares.validation, 2);
    return {
      test: side.slice(0, test),
      validation: side.slice(test, test + validation),
      train: side.slice(test + validation),
    };
  });
  return {
    train: parts.flatMap(({ train }) => train),
    validation: parts.flatMap(({ validation }) => validation),
    test: parts.flatMap(({ test }) => test),
  };
}

/** At least one where there are more than `reserved` queries for the parts that come first. */
function portion(count: number, share: number, reserved: number): number {
  if (count <= reserved || share <= 0) return 0;
  return Math.max(1, Math.min(Math.floor(count * share), count - reserved));
}

function shuffled(cases: readonly Case[], seed: number): Case[] {
  const rank = ({ id }: Case) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  return cases
    .map((one) => ({ one, rank: rank(one) }))
    .toSorted((a, b) => a.rank.localeCompare(b.rank))
    .map(({ one }) => one);
}
