import { expect, it } from "vitest";
import type { FeedbackPage } from "../../../../domain/run-pages.ts";
import { feedbackFile, withEdits } from "./local-feedback.ts";

const PAGE: FeedbackPage = {
  at: { skill: "greeter", n: 1 },
  status: "in_progress",
  reviews: [{ runId: "one", feedback: "Fine.", timestamp: "2026-11-17T07:00:00Z", checks: [] }],
  previous: [],
};

it("keeps what a reader of a saved report says, and writes it as skill-creator does", () => {
  const check = { runId: "two", checkId: "c1", verdict: "failed", comment: "" } as const;
  const after = withEdits(PAGE, [
    { kind: "text", runId: "two", text: "Say more.", was: "" },
    { kind: "check", agrees: true, ...check },
    { kind: "check", agrees: false, ...check },
    { kind: "status", status: "complete" },
  ]);
  expect(JSON.parse(feedbackFile(after, "now"))).toEqual({
    reviews: [
      { run_id: "one", feedback: "Fine.", timestamp: "2026-11-17T07:00:00Z" },
      {
        run_id: "two",
        feedback: "Say more.",
        timestamp: "now",
        checks: [{ check_id: "c1", agrees: false, verdict: "failed", comment: "" }],
      },
    ],
    status: "complete",
  });
  expect(withEdits(after, [{ kind: "check", agrees: null, ...check }]).reviews[1]?.checks).toEqual([]);
});
