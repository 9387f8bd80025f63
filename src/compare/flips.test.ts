import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aCase } from "../../test/support/cases.ts";
import { aGrading, anIteration, aRun, aVerdict } from "../../test/support/runs.ts";
import { aQuery } from "../../test/support/triggers.ts";
import type { Case } from "../domain/suite.ts";
import type { Outcome } from "../domain/run.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import { replay } from "../store/state.ts";
import { type ArmRuns, flipsBetween, testedVariant } from "./flips.ts";

type Status = Verdict["status"];
interface Ran {
  readonly variant?: Variant;
  readonly outcome?: Outcome;
  /** By check id; several for a check with entries. */
  readonly checks: Readonly<Record<string, Status | readonly Status[]>>;
}

function iteration(
  runs: readonly Ran[],
  caseId = "1",
  held: Case["checks"] = [],
  one: Case = aCase({ id: caseId, checks: held }),
): ArmRuns {
  const trials = runs.map(({ variant = "with_skill" }, index): Trial => {
    const repetition = index + 1;
    return { id: `${caseId}/${variant}/run-${repetition}`, key: "k", caseId, variant, repetition };
  });
  const at = "2026-01-15T10:30:00.000Z";
  const state = replay([
    {
      at,
      kind: "iteration-started",
      iteration: anIteration(),
      cases: [one],
      trials,
      resumed: false,
    },
    ...trials.flatMap((trial, index) => {
      const { outcome = { status: "completed" as const }, checks } = runs[index] as Ran;
      const verdicts = Object.entries(checks).flatMap(([checkId, statuses]) =>
        [statuses].flat().map((status) => aVerdict({ trialId: trial.id, checkId, status })),
      );
      const run = aRun({ trialId: trial.id, outcome });
      return [
        { at, kind: "trial-finished", trial, attempt: 1, run, folder: `eval-${trial.id}` } as const,
        { at, kind: "verdicts-recorded", trial, grading: aGrading(trial.id, verdicts) } as const,
      ];
    }),
  ]);
  return { state, variant: testedVariant(trials) ?? "with_skill" };
}

const many = (count: number, status: Status): Ran[] =>
  Array.from({ length: count }, () => ({ checks: { c: status } }));

describe("flips", () => {
  it.each<[string, readonly Ran[], readonly Ran[], string]>([
    ["same", many(1, "passed"), many(1, "passed"), "same"],
    ["one run may fail by chance", many(1, "passed"), many(1, "failed"), "moved"],
    ["three of three runs may, once in twenty", many(3, "passed"), many(3, "failed"), "moved"],
    ["four of four do not", many(4, "passed"), many(4, "failed"), "regressed"],
    ["nor pass by chance", many(4, "failed"), many(4, "passed"), "fixed"],
    ["fewer now, against many before", many(10, "passed"), many(2, "failed"), "regressed"],
    [
      "most of the runs are not all",
      many(4, "passed"),
      [...many(2, "failed"), ...many(2, "passed")],
      "moved",
    ],
    ["came", [{ checks: {} }], many(4, "failed"), "new"],
    ["went", many(4, "passed"), [{ checks: {} }], "removed"],
    ["unscored now", many(1, "passed"), many(1, "unscored"), "unscored"],
    [
      "one bad entry fails a check",
      [{ checks: { c: ["passed", "passed"] } }],
      [{ checks: { c: ["passed", "failed"] } }],
      "moved",
    ],
    [
      "left-out runs and baselines say nothing",
      many(1, "passed"),
      [
        { checks: { c: "passed" } },
        { checks: { c: "failed" }, outcome: leftOut("rate-limit", "") },
        { checks: { c: "failed" }, variant: "without_skill" },
        { checks: { c: "failed" }, variant: "without_skill" },
      ],
      "same",
    ],
  ])("%s", (_, older, newer, change) => {
    const { flips } = flipsBetween(iteration(older), iteration(newer));
    expect(flips.map((flip) => flip.change)).toEqual([change]);
  });

  it("are what all checks together are where no check alone can be told from chance", () => {
    const checks = (status: Status) => ({
      checks: { a: status, b: status, c: status, d: status, e: status },
    });
    const runs = (status: Status) => Array.from({ length: 4 }, () => checks(status));
    const { flips, together } = flipsBetween(iteration(runs("passed")), iteration(runs("failed")));
    expect(new Set(flips.map(({ change }) => change))).toEqual(new Set(["moved"]));
    expect(together).toMatchObject({ change: "regressed", difference: -1, pValue: 1 / 70 });
  });

  it.each<[string, readonly Ran[], readonly Ran[], number | null]>([
    ["a check that breaks", many(1, "passed"), many(1, "failed"), 4],
    [
      "one that breaks half of the time takes more than were made",
      many(4, "passed"),
      [...many(2, "failed"), ...many(2, "passed")],
      9,
    ],
    [
      "a small change takes too many",
      [...many(9, "passed"), ...many(1, "failed")],
      [...many(8, "passed"), ...many(2, "failed")],
      null,
    ],
    ["nothing moved", many(4, "passed"), many(4, "passed"), null],
  ])("say how many runs would tell: %s", (_, older, newer, runs) => {
    const { together } = flipsBetween(iteration(older), iteration(newer));
    expect(together?.runsToTell).toBe(runs);
  });

  it("tell with runsToTell runs of the same, and not with one fewer", () => {
    const half = (runs: number) =>
      Array.from({ length: runs }, (_, at) => many(1, at % 4 < 2 ? "failed" : "passed")).flat();
    const changeAt = (runs: number) =>
      flipsBetween(iteration(many(runs, "passed")), iteration(half(runs))).together?.change;
    const needed = flipsBetween(iteration(many(4, "passed")), iteration(half(4))).together?.runsToTell ?? 0;
    expect([changeAt(needed - 1), changeAt(needed)]).toEqual(["moved", "regressed"]);
  });

  it("do not compare a check that asks for something else under the same id", () => {
    const needing = (needle: string, status: Status) =>
      iteration(many(4, status), "1", [
        {
          id: "c",
          layer: "L1",
          text: "it holds",
          appliesTo: "every-variant",
          origin: null,
          kind: "contains",
          needle,
          ignoreCase: false,
        },
      ]);
    const [flip] = flipsBetween(needing("old", "passed"), needing("new", "failed")).flips;
    expect(flip).toMatchObject({ change: "changed", before: { passed: 4, runs: 4 }, pValue: null });
    expect(flipsBetween(needing("old", "passed"), needing("old", "failed")).flips[0]?.change).toBe(
      "regressed",
    );
  });

  it("leave out the repeats of trigger queries, which came about by how the first runs ended", () => {
    const query = aQuery("1", true);
    const side = (status: Status, runs: number) =>
      iteration(
        Array.from({ length: runs }, () => ({ checks: { fires: status } })),
        "1",
        query.checks,
        query,
      );
    const [flip] = flipsBetween(side("passed", 9), side("failed", 9)).flips;
    expect(flip).toMatchObject({
      change: "moved",
      before: { passed: 3, runs: 3 },
      after: { passed: 0, runs: 3 },
      text: 'it holds: "query 1"',
    });
  });

  it("tell checks of the same id in different cases apart", () => {
    const { flips } = flipsBetween(iteration(many(1, "passed"), "1"), iteration(many(1, "passed"), "2"));
    expect(flips.map(({ caseId, change }) => [caseId, change])).toEqual([
      ["2", "new"],
      ["1", "removed"],
    ]);
  });

  it("hold version against version", () => {
    const runs = (variant: Variant, status: Status) =>
      Array.from({ length: 4 }, () => ({ variant, checks: { c: status } }));
    const older = iteration(runs("old_skill", "passed"));
    const newer = iteration(runs("new_skill", "failed"));
    expect(older.variant).toBe("old_skill");
    expect(flipsBetween(older, newer).flips).toMatchObject([
      { change: "regressed", before: { passed: 4, runs: 4 }, after: { passed: 0, runs: 4 } },
    ]);
  });
});
