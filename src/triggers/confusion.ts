import type { Case } from "../domain/suite.ts";
import type { Confusion } from "../domain/triggers.ts";
import { firedIn, othersIn, type ProbeRun } from "./probe.ts";
import { claimOf, rivalOf } from "./query.ts";

/** Runs by the skill that should have answered and the one that did. Most frequent first. */
export function confusionOf(
  asked: readonly { readonly one: Case; readonly probes: readonly ProbeRun[] }[],
  own: string,
): readonly Confusion[] {
  const cells = new Map<string, Confusion>();
  for (const { one, probes } of asked) {
    const claim = claimOf(one);
    const expected = claim.expected ? own : rivalOf(claim, own);
    for (const probe of probes) {
      const fired = firstFired(probe, own);
      const key = JSON.stringify([expected, fired]);
      cells.set(key, { expected, fired, runs: (cells.get(key)?.runs ?? 0) + 1 });
    }
  }
  return [...cells.values()].toSorted((a, b) => b.runs - a.runs || order(a).localeCompare(order(b)));
}

/** The skill under test where it fired at all, since it may well come second; else the first of the others. */
function firstFired(probe: ProbeRun, own: string): string | null {
  return firedIn(probe) ? own : (othersIn(probe)[0] ?? null);
}

function order({ expected, fired }: Confusion): string {
  return `${expected ?? ""} ${fired ?? ""}`;
}
