import { describe, expect, it } from "vitest";
import { claims, imported, SKILL } from "../support/imported.ts";

/** As the guide at agentskills.io has it, with what its workflow leaves beside the evals. */
const EVALS = {
  skill_name: "csv-analyzer",
  evals: [
    {
      id: 1,
      prompt: "Find the top three months in data/sales.csv and make a bar chart.",
      expected_output: "A bar chart image with three labeled bars.",
      files: ["evals/files/sales.csv"],
      assertions: ["The output includes a bar chart image file", "The chart shows exactly 3 months"],
    },
    { id: 2, prompt: "Clean up customers.csv.", expected_output: "A cleaned CSV.", files: [] },
  ],
};

describe("evals as agentskills.io describes them", () => {
  const project = {
    "SKILL.md": SKILL("csv-analyzer"),
    "evals/evals.json": JSON.stringify(EVALS),
    "evals/files/sales.csv": "month,revenue\n",
    "evals/feedback.json": '{"1": "good"}',
    "evals/benchmark.json": '{"run_summary": {}}',
    "evals/grading.json":
      '{"assertion_results": [{"text": "x", "passed": true, "evidence": "y"}], "summary": {}}',
    "evals/timing.json": '{"total_tokens": 1, "duration_ms": 2}',
  };

  it("are read whole; an eval without assertions, as the guide's first draft has it, is ungraded", async () => {
    const { cases, files, told } = await imported(project);
    expect(told).toEqual([expect.stringContaining("1 of 2 evals have no checks")]);
    expect(files).toMatchObject([{ format: "skill-creator", dialect: "evals", skillName: "csv-analyzer" }]);
    expect(cases.map(({ id, expectedOutput }) => [id, expectedOutput])).toEqual([
      ["1", "A bar chart image with three labeled bars."],
      ["2", "A cleaned CSV."],
    ]);
    expect(cases[0]?.files).toMatchObject([{ declared: "evals/files/sales.csv", problem: null }]);
    expect(claims(cases[0])).toEqual([
      { kind: "criterion", text: "The output includes a bar chart image file" },
      { kind: "criterion", text: "The chart shows exactly 3 months" },
    ]);
    expect(claims(cases[1])).toEqual([]);
  });
});
