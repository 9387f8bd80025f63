import { createHash } from "node:crypto";

/** Cases to learn from, and cases that only say whether what was learnt holds elsewhere. */
export interface CaseSplit {
  readonly train: readonly string[];
  readonly heldOut: readonly string[];
}

/** A third is held out, at least one of two; the same ids and seed give the same split, in whatever order they come. */
export function splitCases(ids: readonly string[], seed: number): CaseSplit {
  const count = ids.length < 2 ? 0 : Math.max(1, Math.floor(ids.length / 3));
  const rank = (id: string) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const heldOut = new Set(ids.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count));
  return { train: ids.filter((id) => !heldOut.has(id)), heldOut: ids.filter((id) => heldOut.has(id)) };
}
