import { describe, expect, it } from "vitest";
import type { TranscriptBody, TranscriptEvent } from "../../domain/transcript.ts";
import { lineTraces, runWords, tracesIn } from "./skill-traces.ts";

const SKILL = `---
name: csv-report
description: Reports on CSV files with scripts/report.py.
---

# Report

Run \`python3 scripts/report.py FILE\` first.
Name every missing value by its row.
Be brief.

\`\`\`bash
wc -l orders.csv
\`\`\`
`;

describe("traces of a skill's lines", () => {
  it("are found by commands, names and words in a row, and by nothing that every text has", () => {
    const traced = lineTraces(SKILL).filter(({ traces }) => traces.length > 0);
    expect(traced.map(({ text }) => text)).toEqual([
      "Run `python3 scripts/report.py FILE` first.",
      "Name every missing value by its row.",
      "wc -l orders.csv",
    ]);
  });

  it("count where the agent did or said it by itself, not where it was told", () => {
    const linesUsed = (...bodies: readonly TranscriptBody[]) => {
      const words = runWords(bodies.map(asEvent));
      return lineTraces(SKILL).flatMap(({ text, traces }) =>
        tracesIn(words, traces).length > 0 ? [text] : [],
      );
    };
    const activated = { kind: "skill-activated", skill: "csv-report", by: "tool" } as const;
    const call = {
      kind: "tool-call",
      callId: "1",
      tool: "Bash",
      input: { command: "python3 scripts/report.py FILE" },
    } as const;
    const result = {
      kind: "tool-result",
      callId: "1",
      tool: "Bash",
      output: SKILL,
      isError: false,
      denied: false,
    } as const;
    expect(linesUsed(activated, result)).toEqual([]);
    expect(linesUsed(activated, call)).toEqual(["Run `python3 scripts/report.py FILE` first."]);
    expect(linesUsed(call, activated)).toEqual([]);
    const thinking = { kind: "thinking", text: "I must name every missing  value." } as const;
    expect(linesUsed(activated, thinking)).toEqual(["Name every missing value by its row."]);
    const asked = { kind: "message", role: "user", text: "Name every missing value by its row!" } as const;
    expect(linesUsed(asked, activated, thinking)).toEqual([]);
  });

  it("are found around what an author leaves open", () => {
    const [line] = lineTraces("Write `Rows: <n>` first.");
    const said = (text: string) => runWords([asEvent({ kind: "message", role: "assistant", text }, 0)]);
    expect(tracesIn(said("Rows: 6"), line?.traces ?? [])).toEqual(["rows:"]);
    expect(tracesIn(said("6 rows"), line?.traces ?? [])).toEqual([]);
  });

  it("tell which words came back, the longest only", () => {
    const words = runWords([
      asEvent({ kind: "message", role: "assistant", text: "I ran python3 scripts/report.py FILE." }, 0),
    ]);
    const line = lineTraces(SKILL).find(({ text }) => text.startsWith("Run"));
    expect(tracesIn(words, line?.traces ?? [])).toEqual(["python3 scripts/report.py file"]);
  });
});

function asEvent(body: TranscriptBody, index: number): TranscriptEvent {
  return { index, turn: 1, agent: null, ...body };
}
