import { expect, it } from "vitest";
import { aReport } from "../../test/support/reports.ts";
import { anIteration } from "../../test/support/runs.ts";
import type { EvalEvent } from "../domain/event.ts";
import { ALL_REPORTED, dispatch, type Reporter } from "./reporter.ts";

const EVENT: EvalEvent = {
  at: "2026-01-01T00:00:00Z",
  kind: "note",
  code: "a/b",
  message: "m",
  trialId: null,
};

const NEVER = new AbortController().signal;

function telling(reporter: Reporter) {
  const complaints: string[] = [];
  const heard: EvalEvent[] = [];
  const quiet: Reporter = { name: "quiet", event: (event) => void heard.push(event) };
  return {
    all: dispatch([reporter, quiet], (message) => complaints.push(message), NEVER),
    complaints,
    heard,
  };
}

it("leaves out a reporter whose promise is rejected, and goes on with the others", async () => {
  const { all, complaints, heard } = telling({
    name: "late",
    event: () => Promise.reject(new Error("no disk")) as unknown as void,
  });
  all.event(EVENT, anIteration());
  all.event(EVENT, anIteration());
  await all.finish([], ALL_REPORTED);
  expect(complaints).toEqual(["the late reporter failed and is left out: no disk"]);
  expect(heard).toHaveLength(2);
});

it("lets no reporter change what was found", async () => {
  const { all, complaints } = telling({
    name: "lying",
    finish: (reports) => {
      for (const { summary } of reports) (summary as { verdict: string }).verdict = "passed";
    },
  });
  const report = aReport([{ caseId: "A", verdicts: [{ status: "failed" }] }]);
  await all.finish([report], ALL_REPORTED);
  expect(report.summary.verdict).toBe("failed");
  expect(complaints).toEqual([expect.stringContaining("the lying reporter failed and is left out")]);
});
