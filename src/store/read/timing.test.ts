import { describe, expect, it } from "vitest";
import { timingReader } from "./timing.ts";
import { read } from "./fixtures/read.ts";

describe("timing.json", () => {
  it.each([
    [{ total_tokens: 10, duration_ms: 23_332, total_duration_seconds: 23.3 }, [10, 23_332, 23.3]],
    [{ total_tokens: 10, duration_ms: 23_332 }, [10, 23_332, 23.332]],
    [{ total_tokens: null, duration_ms: 5 }, [null, 5, 0.005]],
    [{ total_duration_seconds: 2 }, [null, 2000, 2]],
    [{ duration_seconds: 2.5, prompt_tokens: 3 }, [null, 2500, 2.5]],
    [{ elapsed_seconds: 2.5 }, [null, 2500, 2.5]],
    [{ elapsed_ms: 2500 }, [null, 2500, 2.5]],
    [{ executor_duration_seconds: 3, executor_start: "2026-01-15T10:30:00Z" }, [null, 3000, 3]],
  ])("of %j", (value, [tokens, ms, seconds]) => {
    const { reading, problems } = read(timingReader, value);
    expect(problems).toEqual([]);
    expect([reading?.totalTokens, reading?.durationMs, reading?.totalDurationSeconds]).toEqual([
      tokens,
      ms,
      seconds,
    ]);
  });

  it.each([
    [
      { task_id: "x", note: "lost" },
      /none of the fields of timing.json is there: its keys are task_id, note/,
    ],
    [{ total_tokens: null }, /none of the fields/],
  ])("without any figure is refused: %j", (value, message) => {
    expect(read(timingReader, value)).toMatchObject({
      reading: null,
      problems: [expect.stringMatching(message)],
    });
  });

  it("notes a figure that is none and takes it as unknown", () => {
    const { reading, problems } = read(timingReader, { total_tokens: "many", duration_ms: 4 });
    expect(reading).toMatchObject({ totalTokens: null, durationMs: 4 });
    expect(problems).toEqual([
      expect.stringMatching(/^note timing\/wrong-type: total_tokens must be a number/),
    ]);
  });
});
