import { expect, it } from "vitest";
import { aGrading, aVerdict } from "../../../test/support/runs.ts";
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
  ["nothing", [["1", [aVerdict(), aVerdict({ status: "failed" })]]], 0, null, []],
  [
    "a check that nobody decided",
    [
      ["1", [aVerdict(), open]],
      ["2", [open]],
    ],
    2,
    "it is short: the judge gave no answer",
    ["1", "2"],
  ],
  [
    "a trial that does not count",
    [
      ["1", null],
      ["2", [aVerdict()]],
    ],
    1,
    "nothing could be graded in 1/with_skill/run-1",
    [],
  ],
] as const)("counts %s", (_, cases, count, reason, caseIds) => {
  const trials = cases.map(([id]) => trial(id));
  const gradings = new Map(
    cases.flatMap(([id, verdicts]) =>
      verdicts === null ? [] : [[`${id}/with_skill/run-1`, aGrading(`${id}/with_skill/run-1`, verdicts)]],
    ),
  );
  expect(undecidedOf({ trials, gradings })).toEqual({ count, reason, caseIds: new Set(caseIds) });
});
