import { describe, expect, it } from "vitest";
import { sampleRun } from "../fixtures/samples.ts";
import { metricsFile } from "./metrics.ts";

describe("metricsFile", () => {
  it("has the seed's fields, counted by code", () => {
    expect(metricsFile(sampleRun(), { outputChars: 12_450, transcriptChars: 3200 })).toEqual({
      tool_calls: { Read: 2, Write: 1 },
      total_tool_calls: 3,
      total_steps: 3,
      files_created: ["card.md"],
      files_modified: ["notes.md"],
      errors_encountered: 1,
      output_chars: 12_450,
      transcript_chars: 3200,
    });
  });
});
