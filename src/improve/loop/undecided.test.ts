import { expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import { aGrading, aRun, aVerdict } from "../../../test/support/runs.ts";
import { undecidedOf } from "./undecided.ts";

const trial = (caseId: string) => ({
  id: `${caseId}/with_skill/run-1`,
  key: caseId,
  caseId,
  variant: "with_skill" as const,
  repetition: 1,
});

const open = aVerdict({ status: "unscored", text: "it is short", reason: "the judge gave no answer" });

it.each([
  ["nothing", [["1", [aVerdict(), aVerdict({ status: "failed" })]]], { count: 0, reason: null, caseIds: [] }],
  [
    "a check that nobody decided",
    [
      ["1", [aVerdict(), open]],
      ["2", [open]],
    ],
    { count: 2, reason: "it is short: the judge gave no answer", caseIds: ["1", "2"] },
  ],
  [
    "a trial that does not count",
    [
      ["1", null],
      ["2", [aVerdict()]],
    ],
    { count: 1, reason: "1/with_skill/run-1 does not count: budget: it is spent", caseIds: [] },
  ],
] as const)("counts %s", (_, cases, expected) => {
  const trials = cases.map(([id]) => trial(id));
  const gradings = new Map(
    cases.flatMap(([id, verdicts]) =>
      verdicts === null ? [] : [[`${id}/with_skill/run-1`, aGrading(`${id}/with_skill/run-1`, verdicts)]],
    ),
  );
  const run = aRun({ outcome: leftOut("budget", "it is spent") });
  const runs = new Map(
    trials.map((one) => [
      one.id,
      { schema: 1, at: "", kind: "trial-finished", trial: one, attempt: 1, run, folder: "x" } as const,
    ]),
  );
  expect(undecidedOf({ trials, gradings, runs })).toEqual({
    ...expected,
    caseIds: new Set(expected.caseIds),
  });
});
