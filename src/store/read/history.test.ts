import { describe, expect, it } from "vitest";
import { historyReader } from "./history.ts";
import { read } from "./fixtures/read.ts";

describe("history.json", () => {
  const entry = (version: string, is_current_best: boolean) => ({
    version,
    parent: version === "v0" ? null : "v0",
    expectation_pass_rate: 0.65,
    grading_result: version === "v0" ? "baseline" : "won",
    is_current_best,
  });
  const history = (current_best: string, ...iterations: unknown[]) => ({
    started_at: "2026-01-15T10:30:00Z",
    skill_name: "pdf",
    current_best,
    iterations,
  });

  it("is read as the seed has it", () => {
    const { reading, problems } = read(historyReader, history("v1", entry("v0", false), entry("v1", true)));
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({ skillName: "pdf", currentBest: "v1" });
    expect(reading?.iterations[0]).toMatchObject({
      version: "v0",
      parent: null,
      expectationPassRate: 0.65,
      gradingResult: "baseline",
    });
  });

  it("believes the entries where they and current_best differ", () => {
    const { reading, problems } = read(historyReader, history("v0", entry("v0", false), entry("v1", true)));
    expect(reading?.currentBest).toBe("v1");
    expect(problems).toEqual([
      expect.stringMatching(/^note history\/best-differs: current_best is v0, but the entries mark v1/),
    ]);
  });

  it.each([
    [history("v0"), /iterations must not be empty/],
    [history("v0", { ...entry("v0", true), grading_result: "win" }), /"win"/],
    [history("v0", { ...entry("v0", true), expectation_pass_rate: 65 }), /between 0 and 1, not 65/],
    [{}, /no "started_at"/],
  ])("is refused with the reason %#", (value, message) => {
    const { reading, problems } = read(historyReader, value);
    expect(reading).toBeNull();
    expect(problems[0]).toMatch(message);
  });
});
