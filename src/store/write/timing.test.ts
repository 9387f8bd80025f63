import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { sampleGrading, sampleRun } from "../fixtures/samples.ts";
import { timingFile } from "./timing.ts";

describe("timingFile", () => {
  it("has the seed's fields, with the executor's time as the total", () => {
    const agentTime = { startedAt: "2026-01-15T10:30:08.000Z", endedAt: "2026-01-15T10:30:31.332Z" };
    expect(timingFile(sampleRun({ agentTime }), sampleGrading())).toEqual({
      total_tokens: 1230,
      duration_ms: 23_332,
      total_duration_seconds: 23.332,
      executor_start: "2026-01-15T10:30:08.000Z",
      executor_end: "2026-01-15T10:30:31.332Z",
      executor_duration_seconds: 23.332,
      grader_start: "2026-01-15T10:31:00.000Z",
      grader_end: "2026-01-15T10:31:02.600Z",
      grader_duration_seconds: 2.6,
    });
  });

  it("does not say when an agent began that never did", () => {
    const file = timingFile(sampleRun({ agentTime: null, durationMs: 0 }), null);
    expect(file).not.toHaveProperty("executor_start");
    expect(file).not.toHaveProperty("executor_end");
  });

  it("calls unknown what is unknown, and leaves out the one figure that skill-creator would add up", () => {
    expect(timingFile(sampleRun({ usage: UNKNOWN_USAGE, durationMs: null, agentTime: null }), null)).toEqual({
      total_tokens: null,
      duration_ms: null,
      executor_duration_seconds: null,
    });
  });
});
