import type { IterationAddress, LiveState, SkillPage, TriggerSetsPage } from "../../../src/domain/pages.ts";
import { UNKNOWN_USAGE } from "../../../src/domain/run.ts";

/** `words`: stands in place of every text, if there is one. */
export function skillPage(at: IterationAddress, words: string | undefined): SkillPage {
  const lines: readonly (readonly [string, number | null])[] = [
    ["---", null],
    ["name: csv-report", null],
    ["---", null],
    ["", null],
    ["Run `python3 scripts/report.py FILE` first.", 12],
    ["Name every missing value by its row.", 7],
    ["Never guess what a value should have been.", 2],
    ["See `references/columns.md` for what the columns mean.", 0],
  ];
  return {
    at,
    runs: 12,
    listed: 12,
    loaded: 11,
    skipped: 1,
    files: [
      { path: words ?? "references/columns.md", runs: 0 },
      { path: "scripts/report.py", runs: 12 },
    ],
    lines: lines.map(([text, runs]) => ({
      text: words ?? text,
      runs,
      words: runs === null || runs === 0 ? [] : [words ?? "python3 scripts/report.py file"],
    })),
  };
}

export function triggerSets(at: IterationAddress, words: string | undefined): TriggerSetsPage {
  return {
    at,
    sets: [
      {
        file: "skills/csv-report/evals/trigger-eval.json",
        format: "skill-creator",
        digest: "0",
        problem: null,
        queries: [
          { id: "q001", query: words ?? "Make a report of orders.csv", shouldTrigger: true },
          { id: "q002", query: "Convert this table to JSON", shouldTrigger: false },
        ],
      },
    ],
  };
}

export function liveState(at: IterationAddress, words: string | undefined): LiveState {
  const ended = (trial: string, verdicts: string) => ({ trial, status: "completed" as const, verdicts });
  return {
    at,
    progress: "running",
    planned: 24,
    finished: 9,
    graded: 8,
    leftOut: 1,
    running: [
      { trial: words ?? "eval-1/with_skill/run-2", startedAt: "2026-11-15T09:31:12.000Z" },
      { trial: "eval-1/without_skill/run-2", startedAt: "2026-11-15T09:31:14.000Z" },
    ],
    ended: [ended("eval-1/with_skill/run-1", "pppp"), ended(words ?? "eval-0/without_skill/run-3", "fppp")],
    usage: { ...UNKNOWN_USAGE, inputTokens: 96_000, outputTokens: 5400, costUsd: 0.17 },
    notes: [words ?? "anthropic answered 529 twice; asked again."],
    call: {
      state: "running",
      concurrency: 2,
      spending: { costUsd: 0.21, tokens: 103_000, maxCostUsd: 2, maxTokens: null },
      services: { [words ?? "anthropic"]: { limit: 2, waiting: 3, pausedMs: 4000, limited: 2 } },
    },
  };
}
