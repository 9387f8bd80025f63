import { describe, expect, it } from "vitest";
import type { EventBody } from "../../domain/event.ts";
import { leftOut } from "../../domain/left-out.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Trial } from "../../domain/trial.ts";
import type { AboutToRun } from "../../machine.ts";
import { aGrading, anIteration, aRun, aVerdict } from "../../../test/support/runs.ts";
import { textWidth } from "../../operations/text.ts";
import { frame, type FrameSize } from "./frame.ts";
import { Running } from "./running.ts";

const START = Date.parse("2026-01-15T10:30:00.000Z");

function trialOf(caseId: string, repetition = 1): Trial {
  return {
    id: `${caseId}/with_skill/run-${repetition}`,
    key: "k",
    caseId,
    variant: "with_skill",
    repetition,
  };
}

/** Hears events, each with the second at which it happens. */
function after(...events: readonly Heard[]): Running {
  const running = new Running();
  for (const [second, body] of events)
    running.hear({ at: new Date(START + second * 1000).toISOString(), ...body }, anIteration());
  return running;
}

function begun(trials: readonly Trial[], resumed = false): EventBody {
  return { kind: "iteration-started", iteration: anIteration(), cases: [], trials, resumed };
}

type Heard = readonly [second: number, body: EventBody];

/** What is heard when a trial is prepared and its agent starts. */
function started(trial: Trial, second = 0): readonly Heard[] {
  return [
    [second, { kind: "trial-started", trial, attempt: 1 }],
    [second, { kind: "agent-started", trialId: trial.id }],
  ];
}

function tool(trialId: string, name: string, input: Record<string, string>): EventBody {
  const event = {
    index: 0,
    turn: 1,
    agent: null,
    kind: "tool-call",
    callId: "c",
    tool: name,
    input,
  } as const;
  return { kind: "trial-progress", trialId, event };
}

function finished(trial: Trial, costUsd: number | null = null): EventBody {
  const run = aRun({ usage: { ...UNKNOWN_USAGE, costUsd } });
  return { kind: "trial-finished", trial, attempt: 1, run, folder: "x" };
}

function graded(trial: Trial, status: "passed" | "failed" = "passed"): EventBody {
  return { kind: "verdicts-recorded", trial, grading: aGrading(trial.id, [aVerdict({ status })]) };
}

const ABOUT: AboutToRun = {
  kind: "about-to-run",
  skills: ["demo"],
  agents: ["codex"],
  models: [],
  judges: [],
  sandboxes: [],
  trials: 4,
  repeats: 0,
  concurrency: 2,
  minutes: 4,
  costUsd: null,
};

function shown(running: Running, second: number, size: Partial<FrameSize> = {}): string {
  const whole = { columns: 80, rows: 24, color: false, header: false, ...size };
  return frame(running, whole, START + second * 1000).join("\n");
}

const A = trialOf("lengths");
const B = trialOf("unknown-unit");
const C = trialOf("refuses");

describe("the live view", () => {
  it("has a line for each trial at work, with its time and its last tool, and then how far it all is", () => {
    const running = after([0, begun([A, B, C])], ...started(A), ...started(B, 4), [
      9,
      tool(A.id, "Bash", { command: "python convert.py\n--all" }),
    ]);
    expect(shown(running, 72)).toMatchInlineSnapshot(`
      "
        • lengths        1:12  Bash: python convert.py --all
        • unknown-unit   1:08  starting
        ░░░░░░░░░░░░░░░░░░░░░░░░  0/3 trials"
    `);
  });

  it("counts what is done, what failed and what it cost", () => {
    const running = after(
      [0, begun([A, B, C])],
      ...started(A),
      ...started(B),
      [10, finished(A, 0.2)],
      [11, graded(A, "failed")],
      [12, finished(B, 0.22)],
    );
    expect(running.counts).toEqual({ done: 1, planned: 3, failed: 1 });
    expect(shown(running, 13)).toMatchInlineSnapshot(`
      "
        • unknown-unit   0:13  grading
        ████████░░░░░░░░░░░░░░░░  1/3 trials  1 failed  $0.42  under 1 min left"
    `);
  });

  it("holds what was spent against the budget, which knows of judges and of what is under way", () => {
    const running = after([0, begun([A])], [1, { kind: "money-spent", costUsd: 1.234, maxCostUsd: 5 }]);
    expect(shown(running, 1)).toContain("$1.23 of $5.00");
  });

  it("expects what earlier runs took, and what these take as soon as one has ended", () => {
    const running = after([0, begun([A, B, C, trialOf("d")])]);
    expect(shown(running, 0)).not.toContain("left");
    running.expect(ABOUT);
    expect(shown(running, 0)).toContain("about 4 min left");
    const at = new Date(START + 30_000).toISOString();
    for (const [, body] of started(A))
      running.hear({ at: new Date(START).toISOString(), ...body }, anIteration());
    running.hear({ at, ...graded(A) }, anIteration());
    expect(shown(running, 30)).toContain("under 1 min left");
  });

  it("counts down to the next attempt, and no longer takes the trial for done", () => {
    const failed = aRun({ outcome: leftOut("api", "overloaded") });
    const running = after(
      [0, begun([A, B])],
      ...started(A),
      [5, { kind: "trial-finished", trial: A, attempt: 1, run: failed, folder: "x" }],
      [5, { kind: "trial-waiting", trial: A, attempt: 2, waitMs: 8000, reason: "overloaded" }],
    );
    expect(shown(running, 8)).toContain("retry in 5 s (attempt 2): overloaded");
    expect(running.counts.done).toBe(0);
    expect(shown(running, 60)).toContain("retry in 0 s");
  });

  it("is done with what was left out, and with what nobody grades", () => {
    const failed = aRun({ outcome: leftOut("auth", "no login") });
    const running = after([0, begun([A, B])], ...started(A), [
      5,
      { kind: "trial-finished", trial: A, attempt: 1, run: failed, folder: "x" },
    ]);
    expect(running.counts).toMatchObject({ done: 1, failed: 0 });
    expect(running.trials).toEqual([]);
    const ungraded = { ...anIteration(), options: { grade: false } };
    const at = new Date(START).toISOString();
    running.hear({ at, ...finished(B) }, ungraded);
    expect(running.counts.done).toBe(2);
  });

  it("says how services hold back, and counts the pause down", () => {
    const limits = { anthropic: { limit: 4, waiting: 3, pausedMs: 12_000, limited: 1 } };
    const running = after([0, begun([A])], [10, { kind: "services-limited", limits }]);
    expect(shown(running, 14)).toContain(
      "  anthropic limits our rate: paused for 8 s, 3 waiting, at most 4 at once",
    );
    expect(shown(running, 60)).toContain("  anthropic limits our rate: 3 waiting, at most 4 at once");
    expect(shown(running, 60)).not.toContain("paused");
  });

  it("takes the pause that a service asks for into the time left", () => {
    const limits = { anthropic: { limit: 4, waiting: 1, pausedMs: 600_000, limited: 1 } };
    const running = after([0, begun([A])], [0, { kind: "services-limited", limits }]);
    running.expect({ ...ABOUT, trials: 1, minutes: 1, concurrency: 1 });
    expect(shown(running, 0)).toContain("about 11 min left");
  });

  it("has a line only for trials whose agents have started, not for those that are prepared meanwhile", () => {
    const running = after(
      [0, begun([A, B, C])],
      ...[A, B, C].map((trial) => [0, { kind: "trial-started", trial, attempt: 1 }] as const),
    );
    const names = () => running.trials.map(({ name }) => name);
    expect(names()).toEqual([]);
    expect(shown(running, 1)).toContain("  preparing workspaces\n");
    const hear = (body: EventBody) =>
      running.hear({ at: new Date(START + 3000).toISOString(), ...body }, anIteration());
    hear({ kind: "agent-started", trialId: A.id });
    hear({ kind: "agent-started", trialId: C.id });
    expect(names()).toEqual(["lengths", "refuses"]);
    expect(shown(running, 4)).toContain("• lengths   0:01  starting");
    expect(shown(running, 4)).not.toContain("preparing");
    hear(finished(A));
    expect(names()).toEqual(["lengths", "refuses"]);
    hear(graded(A));
    expect(names()).toEqual(["refuses"]);
  });

  it("does not take what was kept of earlier runs for a measure of those to come", () => {
    const running = after(
      [0, begun([A, B])],
      [0, { kind: "trial-started", trial: A, attempt: 1 }],
      [0, { kind: "trial-finished", trial: A, attempt: 1, run: aRun({ reusedFrom: "1" }), folder: "x" }],
      [0, graded(A)],
    );
    expect(running.counts.done).toBe(1);
    expect(running.leftMs(START)).toBeNull();
  });

  it("shows what another terminal changes: a pause, the cap, how many run at once", () => {
    const running = after([0, begun([A, B])], ...started(A), [
      0,
      { kind: "money-spent", costUsd: 0.5, maxCostUsd: 2 },
    ]);
    running.expect({ ...ABOUT, trials: 2 });
    const hear = (body: EventBody) =>
      running.hear({ at: new Date(START).toISOString(), ...body }, anIteration());
    hear({ kind: "pace-changed", state: "paused", concurrency: 2 });
    expect(shown(running, 1)).toMatchInlineSnapshot(`
      "
        • lengths   0:01  starting
        ░░░░░░░░░░░░░░░░░░░░░░░░  0/2 trials  $0.50 of $2.00
        paused: running trials finish, no new ones start (assay control resume)"
    `);
    hear({ kind: "pace-changed", state: "running", concurrency: 7 });
    hear({ kind: "money-spent", costUsd: 0.5, maxCostUsd: 5 });
    expect(shown(running, 1, { header: true })).toMatchInlineSnapshot(`
      "
      demo with codex, model its own default
      judge: none needed; sandbox: ; 2 trials, 7 at once
      estimate: about 4 min, cost unknown
        • lengths   0:01  starting
        ░░░░░░░░░░░░░░░░░░░░  0/2 trials  $0.50 of $5.00  7 at once  about 1 min left"
    `);
    hear({ kind: "tokens-used", tokens: 12_000, maxTokens: 90_000 });
    expect(shown(running, 1, { columns: 120 })).toContain("12,000 of 90,000 tokens");
    hear({ kind: "pace-changed", state: "stopping", concurrency: 7 });
    expect(shown(running, 1)).toContain("  stopping: no new trials start");
  });

  it("tells trials of several skills and repetitions apart", () => {
    const trials = [trialOf("a", 1), trialOf("a", 2)];
    const running = after([0, begun(trials)], ...started(trialOf("a", 2)));
    expect(shown(running, 1)).toContain("• a run-2  ");
    const other = { ...anIteration(), suite: "other" };
    const at = new Date(START).toISOString();
    running.hear({ at, ...begun([A]), iteration: other } as Parameters<Running["hear"]>[0], other);
    for (const [, body] of started(A)) running.hear({ at, ...body }, other);
    expect(shown(running, 1)).toContain("• other lengths");
  });

  it("begins with what was said before the first trial, once that has left the screen", () => {
    const running = after([0, begun([A])], ...started(A));
    expect(shown(running, 1, { header: true })).toContain("demo with scripted\n  • lengths");
    running.expect({ ...ABOUT, models: ["gpt-9"], sandboxes: ["bwrap"], judges: ["opus"], costUsd: 1.5 });
    expect(shown(running, 1)).not.toContain("gpt-9");
    expect(shown(running, 1, { header: true })).toMatchInlineSnapshot(`
      "
      demo with codex, model gpt-9
      judge: opus; sandbox: bwrap; 4 trials, 2 at once
      estimate: about 4 min, $1.50
        • lengths   0:01  starting
        ░░░░░░░░░░░░░░░░░░░░░░░░  0/1 trials  under 1 min left"
    `);
    expect(shown(running, 1, { header: true, rows: 11 })).not.toContain("estimate");
  });

  it("counts of a resumed iteration what was said to be left", () => {
    const running = after([0, begun([A, B, C, trialOf("d"), trialOf("e")], true)], [1, graded(A)]);
    running.expect(ABOUT);
    expect(running.counts).toMatchObject({ done: 1, planned: 4 });
  });

  it.each([
    { columns: 80, rows: 24 },
    { columns: 200, rows: 50 },
    { columns: 20, rows: 6 },
    { columns: 40, rows: 2 },
  ])("never fills more than $columns x $rows, however many trials run", (size) => {
    const trials = Array.from({ length: 300 }, (_, at) => trialOf(`a-rather-long-name-of-a-case-${at}-日本`));
    const running = after([0, begun(trials)], ...trials.flatMap((trial) => started(trial, 1)));
    running.expect({ ...ABOUT, skills: ["a".repeat(300)] });
    const lines = shown(running, 5, { ...size, header: true }).split("\n");
    expect(lines.length).toBeLessThan(Math.max(size.rows, 3));
    for (const line of lines) expect(textWidth(line)).toBeLessThan(Math.max(size.columns, 21));
  });

  it("says how many trials have no line of their own", () => {
    const trials = Array.from({ length: 300 }, (_, at) => trialOf(`case-${at}`));
    const running = after([0, begun(trials)], ...trials.flatMap((trial) => started(trial, 1)));
    const lines = shown(running, 5).split("\n");
    const named = lines.filter((line) => line.includes("• case-"));
    expect(lines).toContain(`  … and ${300 - named.length} more running`);
  });

  it("lets nothing of a tool's input through that moves the cursor", () => {
    const running = after([0, begun([A])], ...started(A), [
      1,
      tool(A.id, "Bash", { command: "\u001B[2Jrm" }),
    ]);
    expect(shown(running, 2)).not.toContain("\u001B");
  });
});
