import { flipsBetween, testedVariant } from "../../compare/flips.ts";
import type { FlipChange } from "../../domain/flip.ts";
import { type Iteration, speaksInTrend } from "../../domain/iteration.ts";
import type { ComparedIteration, IterationLine } from "../../domain/pages.ts";
import type { ViewedIteration, StoredResults } from "./stored.ts";

interface Choice {
  /** Null: the last one before it with the same agent and model. */
  readonly against: number | null;
  readonly others: readonly IterationLine[];
}

/** Null: there is no other to compare with. */
export async function comparedWith(
  stored: StoredResults,
  found: ViewedIteration,
  { against, others }: Choice,
): Promise<ComparedIteration | null> {
  const n = against ?? previousOf(found.iteration, others);
  if (n === null || n === found.at.n) return null;
  const other = await stored.iteration({ ...found.at, n });
  const [older, newer] = n < found.at.n ? [other, found] : [found, other];
  const [then, now] = [older, newer].map(({ state }) => testedVariant(state.trials));
  if (!then || !now) return null;
  const { flips, together } = flipsBetween(
    { state: older.state, variant: then },
    { state: newer.state, variant: now },
    { isWanted: ranInBoth(older, newer) },
  );
  return {
    n,
    together,
    flips: flips
      .filter(({ change }) => change !== "same")
      .toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change)),
    caveats: caveatsOf(older.iteration, newer.iteration),
  };
}

/** A benchmark asks no trigger queries: they are not gone because of that. */
function ranInBoth(older: ViewedIteration, newer: ViewedIteration): (caseId: string) => boolean {
  const [then, now] = [older, newer].map(({ state }) => new Set(state.cases.map(({ kind }) => kind)));
  const kinds = new Map(
    [older, newer].flatMap(({ state }) => state.cases.map(({ id, kind }) => [id, kind] as const)),
  );
  return (caseId) => {
    const kind = kinds.get(caseId);
    return kind === undefined || (then?.has(kind) === true && now?.has(kind) === true);
  };
}

const ORDER: readonly FlipChange[] = ["regressed", "fixed", "moved", "changed", "new", "removed", "unscored"];

function previousOf({ number, harness, model }: Iteration, others: readonly IterationLine[]): number | null {
  const comparable = others.find(
    (line) =>
      line.n < number &&
      speaksInTrend(line) &&
      line.harness === harness &&
      line.model === model &&
      line.progress !== "running",
  );
  return comparable?.n ?? null;
}

function caveatsOf(older: Iteration, newer: Iteration): readonly string[] {
  const client = ({ client: one }: Iteration) => [one?.name, one?.version].filter(Boolean).join(" ");
  const judge = ({ judge: one }: Iteration) => one?.model ?? "none";
  const differences: readonly (readonly [string, string, string])[] = [
    ["agent", older.harness, newer.harness],
    ["model", older.model ?? "default", newer.model ?? "default"],
    ["client", client(older), client(newer)],
    ["judge", judge(older), judge(newer)],
  ];
  return differences
    .filter(([, then, now]) => then !== now)
    .map(([what, then, now]) => `different ${what}: ${then || "unknown"}, then ${now || "unknown"}`);
}
