import { describe, expect, it } from "vitest";
import { metricsReader } from "./metrics.ts";
import { read } from "./fixtures/read.ts";

describe("metrics.json", () => {
  it("is read as the seed has it", () => {
    const { reading, problems } = read(metricsReader, {
      tool_calls: { Read: 5, Write: 2 },
      total_tool_calls: 7,
      total_steps: 6,
      files_created: ["a.pdf"],
      errors_encountered: 0,
      output_chars: 12_450,
      transcript_chars: 3200,
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({ totalToolCalls: 7, filesCreated: ["a.pdf"], errorsEncountered: 0 });
  });

  it("without a known field is refused", () => {
    expect(read(metricsReader, { track: "x" }).problems).toEqual([
      expect.stringMatching(/its keys are track/),
    ]);
  });
});
