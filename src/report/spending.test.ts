import { expect, it } from "vitest";
import { type Run, UNKNOWN_USAGE } from "../domain/run.ts";
import { addSpending, spendingOf, spentText } from "./spending.ts";

function runs(...costs: readonly (number | null)[]) {
  const made = costs.map((costUsd) => ({
    run: { usage: { ...UNKNOWN_USAGE, costUsd }, reusedFrom: null } as Run,
  }));
  return { runs: new Map(made.map((one, at) => [String(at), one])) };
}

it.each<[string, readonly (number | null)[], string]>([
  ["all", [0.01, 0.02], "$0.0300"],
  ["some", [0.25, null, null], "$0.25 in 1 of 3 runs, the others do not say"],
  ["none", [null, null], "tokens and cost unknown"],
])("a sum says of how many runs it is where %s are known", (_name, costs, words) => {
  expect(spentText(spendingOf(runs(...costs)))).toBe(words);
});

it("keeps that in a total over several iterations", () => {
  const total = addSpending([spendingOf(runs(0.1)), spendingOf(runs(0.1, null))]);
  expect(spentText(total)).toBe("$0.20 in 2 of 3 runs, the others do not say");
});
