import { describe, expect, it } from "vitest";
import { feedbackReader } from "./feedback.ts";
import { read } from "./fixtures/read.ts";

describe("feedback.json", () => {
  it.each([
    [
      { reviews: [{ run_id: "eval-1-with_skill-run-1", feedback: "", timestamp: "t" }], status: "complete" },
      {
        status: "complete",
        reviews: [{ runId: "eval-1-with_skill-run-1", feedback: "", timestamp: "t", checks: [] }],
      },
    ],
    [
      { reviews: [], status: "in_progress" },
      { status: "in_progress", reviews: [] },
    ],
    [
      { reviews: [], status: "other" },
      { status: null, reviews: [] },
    ],
    [
      { "eval-ocean": "too long", "eval-sky": "" },
      {
        status: null,
        reviews: [
          { runId: "eval-ocean", feedback: "too long", timestamp: null, checks: [] },
          { runId: "eval-sky", feedback: "", timestamp: null, checks: [] },
        ],
      },
    ],
    [{}, { status: null, reviews: [] }],
  ])("reads %j", (value, expected) => {
    expect(read(feedbackReader, value)).toEqual({ reading: expected, problems: [] });
  });

  it.each([
    [{ reviews: {} }, /reviews must be a list/],
    [{ reviews: [{ feedback: "x" }] }, /no "run_id"/],
    [{ "eval-1": 3 }, /eval-1 must be a string/],
    [[], /must be an object/],
  ])("refuses %j", (value, message) => {
    expect(read(feedbackReader, value)).toMatchObject({
      reading: null,
      problems: [expect.stringMatching(message)],
    });
  });
});
