import { expect, it } from "vitest";
import { aBenchmark, benchRows } from "../../test/support/benchmarks.ts";
import { caseTable } from "./case-table.ts";
import { PLAIN } from "./page.ts";
import { summarize } from "./summarize.ts";

function tableOf(
  arms: { with_skill: readonly string[]; without_skill: readonly string[] },
  bench: object = {},
) {
  const rows = benchRows(Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`c${at}`, arms])));
  const made = aBenchmark({ rows });
  const options = { bench: { alpha: 0.05, minEffect: 0, aa: false, adaptive: null, ...bench } };
  const evaluated = { ...made, iteration: { ...made.iteration, options } };
  const summary = summarize(evaluated, { minPassRate: null, allowMissing: 0 });
  return caseTable({ evaluated, summary, folder: "/results", runFolders: new Map() }, PLAIN);
}

it("does not call a case passed that is only no lower than its baseline", () => {
  const table = tableOf({ with_skill: ["pf", "ff"], without_skill: ["ff", "ff"] });
  expect(table).toContain("… and 5 more, none of them lower");
  expect(table).not.toContain("passed");
});

it("says how many of the hidden cases are lower", () => {
  const table = tableOf({ with_skill: ["ff", "ff"], without_skill: ["pf", "ff"] });
  expect(table).toContain("… and 5 more, 5 of them lower or not compared");
  expect(table).toMatch(/^ +x c0/m);
});

it("marks no half of one arm as worse than the other", () => {
  const table = tableOf({ with_skill: ["ff", "pp"], without_skill: [] }, { aa: true });
  expect(table).toContain("c0");
  expect(table).not.toMatch(/^ +x /m);
});
