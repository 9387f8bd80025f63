/** What `claude plugin eval` leaves: one file with all cases; `trace` is where a run says that its stream lies. */
export function pluginEvalResult({
  version = "1.0.0",
  trace,
}: {
  readonly version?: string;
  readonly trace?: string;
}): unknown {
  const run = (passed: boolean, more: object = {}) => ({
    score: passed ? 1 : 0,
    passed,
    turns: 3,
    costUsd: 0.02,
    judgeCostUsd: 0.004,
    durationSeconds: 4.5,
    startedAt: "2026-10-01T08:00:00.000Z",
    error: null,
    skippedPaidGraders: false,
    graders: [
      { name: "used-skill", passed, weight: 1, explanation: "called once", withOnly: true, scored: false },
      {
        name: "names-rows",
        passed,
        weight: 1,
        explanation: passed ? "2 of 3 votes" : "0 of 3 votes",
        scored: true,
      },
      { name: "file", passed: true, weight: 1, explanation: "report.md is there", scored: true },
    ],
    ...more,
  });
  return {
    schemaVersion: 1,
    claudeVersion: "2.1.325",
    startedAt: "2026-10-01T08:00:00.000Z",
    durationSeconds: 60,
    costUsd: 0.2,
    partial: false,
    suite: {
      root: "/home/ada/plugin",
      ablation: "with-without",
      pluginId: "csv-tools@market",
      judgeModel: "haiku",
      threshold: 1,
      plugins: [{ name: "csv-tools", version, path: "/home/ada/plugin" }],
    },
    cases: [
      {
        name: "orders",
        promptMarkdown: "Report on orders.csv",
        model: "sonnet",
        runsPerCase: 3,
        graders: [
          { name: "used-skill", type: "tool_used", weight: 1 },
          {
            name: "names-rows",
            type: "llm",
            weight: 1,
            graderMarkdown: "Names every missing value.\nBy its row.",
          },
          { name: "file", type: "file_exists", weight: 1 },
        ],
        arms: {
          with: [
            run(true, trace === undefined ? {} : { tracePath: trace }),
            run(true, { skippedPaidGraders: true, graders: [{ name: "file", passed: true, weight: 1 }] }),
            run(false, { error: "timeout after 300s" }),
          ],
          without: [
            run(false),
            run(false),
            run(false, { error: "exit 1: usage limit reached", graders: [] }),
          ],
        },
        aggregates: { score: 0.66, delta: 0.33 },
      },
    ],
    aggregates: { casesTotal: 1, casesPassed: 0, overallScore: 0.66, meanDelta: 0.33 },
  };
}
