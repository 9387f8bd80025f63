import { describe, expect, it } from "vitest";
import { compareRows } from "./rows.ts";
import { runNamed } from "./run-named.ts";

describe("two runs side by side", () => {
  const equal = { kind: "equal", a: [0, 10], b: [0, 10] } as const;
  const changed = { kind: "changed", a: [10, 12], b: [10, 11] } as const;
  const rest = { kind: "equal", a: [12, 13], b: [11, 12] } as const;

  it("fold what is equal, but for the steps next to a difference", () => {
    expect(compareRows([equal, changed, rest], new Set())).toEqual([
      { kind: "fold", span: equal, steps: 8 },
      { kind: "pair", a: 8, b: 8, differs: false },
      { kind: "pair", a: 9, b: 9, differs: false },
      { kind: "pair", a: 10, b: 10, differs: true },
      { kind: "pair", a: 11, b: null, differs: true },
      { kind: "pair", a: 12, b: 11, differs: false },
    ]);
  });

  it("show every step once a fold is opened", () => {
    expect(compareRows([equal, changed], new Set([equal]))).toHaveLength(12);
  });
});

describe("the name of a run", () => {
  it("says where it lies, whatever its case is called", () => {
    expect(runNamed("imports/x@3/a@4/b/with_skill/run-1")).toEqual({
      skill: "imports/x@3/a",
      n: 4,
      trial: "b/with_skill/run-1",
    });
    expect(runNamed("csv-report@7/eval-0/with_skill/run-1")).toEqual({
      skill: "csv-report",
      n: 7,
      trial: "eval-0/with_skill/run-1",
    });
    expect(runNamed("nothing")).toBe(null);
  });
});
