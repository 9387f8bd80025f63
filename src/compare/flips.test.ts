import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aCase } from "../../test/support/cases.ts";
import { aGrading, anIteration, aRun, aVerdict } from "../../test/support/runs.ts";
import type { Outcome } from "../domain/run.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import { replay } from "../store/state.ts";
import { type Arm, flipsBetween, testedVariant } from "./flips.ts";

type Status = Verdict["status"];
interface Ran {
  readonly variant?: Variant;
  readonly outcome?: Outcome;
  /** By check id; several for a check with entries. */
  readonly checks: Readonly<Record<string, Status | readonly Status[]>>;
}

function iteration(runs: readonly Ran[], caseId = "1"): Arm {
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
      cases: [aCase({ id: caseId })],
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

describe("flips", () => {
  it.each<[string, readonly Ran[], readonly Ran[], string]>([
    ["same", [{ checks: { c: "passed" } }], [{ checks: { c: "passed" } }], "same"],
    ["worse", [{ checks: { c: "passed" } }], [{ checks: { c: "failed" } }], "regressed"],
    ["better", [{ checks: { c: "failed" } }], [{ checks: { c: "passed" } }], "fixed"],
    ["came", [{ checks: {} }], [{ checks: { c: "failed" } }], "new"],
    ["went", [{ checks: { c: "passed" } }], [{ checks: {} }], "removed"],
    ["unscored now", [{ checks: { c: "passed" } }], [{ checks: { c: "unscored" } }], "unsettled"],
    [
      "by most of the runs",
      [{ checks: { c: "passed" } }, { checks: { c: "passed" } }, { checks: { c: "failed" } }],
      [{ checks: { c: "failed" } }, { checks: { c: "passed" } }, { checks: { c: "failed" } }],
      "regressed",
    ],
    [
      "half of the runs settle nothing",
      [{ checks: { c: "passed" } }],
      [{ checks: { c: "failed" } }, { checks: { c: "passed" } }],
      "unsettled",
    ],
    [
      "one bad entry fails a check",
      [{ checks: { c: ["passed", "passed"] } }],
      [{ checks: { c: ["passed", "failed"] } }],
      "regressed",
    ],
    [
      "left-out runs and baselines say nothing",
      [{ checks: { c: "passed" } }],
      [
        { checks: { c: "passed" } },
        { checks: { c: "failed" }, outcome: leftOut("rate-limit", "") },
        { checks: { c: "failed" }, variant: "without_skill" },
        { checks: { c: "failed" }, variant: "without_skill" },
      ],
      "same",
    ],
  ])("%s", (_, older, newer, change) => {
    expect(flipsBetween(iteration(older), iteration(newer)).map((flip) => flip.change)).toEqual([change]);
  });

  it("tell checks of the same id in different cases apart", () => {
    const flips = flipsBetween(
      iteration([{ checks: { c: "passed" } }], "1"),
      iteration([{ checks: { c: "passed" } }], "2"),
    );
    expect(flips.map(({ caseId, change }) => [caseId, change])).toEqual([
      ["2", "new"],
      ["1", "removed"],
    ]);
  });

  it("hold version against version", () => {
    const older = iteration([{ variant: "old_skill", checks: { c: "passed" } }]);
    const newer = iteration([{ variant: "new_skill", checks: { c: "failed" } }]);
    expect(older.variant).toBe("old_skill");
    expect(flipsBetween(older, newer)).toMatchObject([
      { change: "regressed", before: "passed", after: "failed" },
    ]);
  });
});
