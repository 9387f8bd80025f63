import { describe, expect, it } from "vitest";
import type { BenchmarkSummary } from "../../domain/benchmark.ts";
import { leftOut } from "../../domain/left-out.ts";
import type { EvalEvent } from "../../domain/event.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { aReport } from "../../../test/support/reports.ts";
import { aGrading, anIteration, aRun, aVerdict } from "../../../test/support/runs.ts";
import { ALL_REPORTED, type IterationReport } from "../reporter.ts";
import { terminalReporter, type TerminalOptions } from "./terminal.ts";

function terminal(mostFailures = 25, more: Partial<TerminalOptions> = {}) {
  const said = { progress: "", out: "" };
  const reporter = terminalReporter({
    progress: (text) => void (said.progress += text),
    write: (text) => void (said.out += text),
    show: (path) => path.replace("/results/", ""),
    mostFailures,
    ...more,
  });
  return { reporter, said };
}

async function shown(
  report: IterationReport,
  mostFailures?: number,
  more?: Partial<TerminalOptions>,
): Promise<string> {
  const { reporter, said } = terminal(mostFailures, more);
  await reporter.finish?.([report], ALL_REPORTED);
  return said.out;
}

const NO_JUDGE = { status: "unscored", layer: "L3", reason: "there is no judge", evidence: [] } as const;
const LATE: Outcome = { status: "timed-out", afterMs: 300_000 };

/** What grading says about every check of a run that failed as a whole. */
function failedBy(text: string): Pick<Verdict, "status" | "reason" | "evidence"> {
  return { status: "failed", reason: `the run ${text}`, evidence: [{ kind: "outcome", text }] };
}

describe("what the terminal says in the end", () => {
  it("names a missed gate of the arm under test only, because no other is held to it", async () => {
    const verdicts = [{ status: "failed", layer: "L3" }] as const;
    const report = aReport(
      [
        { caseId: "A1", verdicts },
        { caseId: "A1", variant: "without_skill", verdicts },
      ],
      { gradeThresholds: { minPassRate: 0.5, minMeanScore: null } },
    );
    const missed = (await shown(report)).split("\n").filter((line) => line.includes("gate missed"));
    expect(missed).toEqual([expect.stringContaining("A1/with_skill/run-1")]);
  });

  it("has the cases, failures with their evidence, what is open, the verdict and the numbers", async () => {
    const report = aReport([
      {
        caseId: "A1",
        verdicts: [
          { checkId: "a", text: "is warm", ...NO_JUDGE },
          { checkId: "b", text: "greets Ada", status: "failed", reason: "it greets Bob" },
          { checkId: "c", text: "is short" },
        ],
      },
    ]);
    expect(await shown(report)).toMatchInlineSnapshot(`
      "
          case  passed  checks  time/run
        x A1       0/1     1/2     1.5 s

        eval-A1/with_skill/run-1
          x greets Ada: it greets Bob; 1 of 1
          ? (judge) is warm: there is no judge

      demo: INCOMPLETE: 1 check has no verdict
        with_skill: checks passed 1 of 2 (50 %, one case, no interval); 1 of 1 trials counted, skill loaded in 1; 1 check unscored
        unscored checks: 1; retry without running: assay grade --no-cache
        cases without any check: 1
        agents: tokens and cost unknown; agent time 1.5 s
        results: demo/iteration-1
      "
    `);
  });

  it("says once why the checks of a run failed together", async () => {
    const verdicts = ["a", "b", "c"].map((checkId) => ({ checkId, text: checkId, ...failedBy("timed out") }));
    const out = await shown(aReport([{ caseId: "A1", outcome: LATE, verdicts }]));
    expect(out).toContain("  eval-A1/with_skill/run-1\n    x 3 checks: the run timed out\n\ndemo: FAILED");
  });

  it("says once why nothing could be decided, over all runs and cases", async () => {
    const verdicts = ["a", "b"].map((checkId) => ({ checkId, text: checkId, ...NO_JUDGE }));
    const report = aReport(
      ["A1", "A2"].flatMap((caseId) => [1, 2].map((repetition) => ({ caseId, repetition, verdicts }))),
    );
    expect(await shown(report)).toContain(
      "  eval-A1/with_skill/run-1 and 3 more runs\n    ? 4 checks: there is no judge\n\ndemo: ",
    );
  });

  it("names a check once that fails alike in several runs", async () => {
    const verdicts = [{ checkId: "a", text: "greets Ada", status: "failed", reason: "no Ada" }] as const;
    const report = aReport([1, 2, 3].map((repetition) => ({ caseId: "A1", repetition, verdicts })));
    const out = await shown(report);
    expect(out.match(/greets Ada/g)).toHaveLength(1);
    expect(out).toContain("  eval-A1/with_skill/run-1 and 2 more runs\n    x greets Ada: no Ada");
  });

  it("names every check that fails for itself, whatever the reasons have in common", async () => {
    const verdicts = ["Ada", "Bob", "Cyd"].map((name) => ({
      checkId: name,
      text: `greets ${name}`,
      status: "failed" as const,
      reason: "not found",
    }));
    const out = await shown(aReport([{ caseId: "A1", verdicts }]));
    for (const name of ["Ada", "Bob", "Cyd"]) expect(out).toContain(`x greets ${name}: not found`);
  });

  it("says how many more there are", async () => {
    const verdicts = [1, 2, 3, 4].map((n) => ({
      checkId: `c${n}`,
      text: `check ${n}`,
      status: "failed" as const,
      reason: `reason ${n}`,
    }));
    const out = await shown(aReport([{ caseId: "A1", verdicts }]), 1);
    expect(out).toContain("x check 1");
    expect(out).not.toContain("check 2");
    expect(out).toContain("and 3 more; assay show --failed has all of them");
  });

  it("counts only the runs that could be held to their gate", async () => {
    const failure: Outcome = leftOut("api", "overloaded");
    const report = aReport([
      { caseId: "A1", repetition: 1, verdicts: [{ checkId: "a" }] },
      { caseId: "A1", repetition: 2, verdicts: [{ checkId: "a" }] },
      { caseId: "A1", repetition: 3, outcome: failure },
    ]);
    expect(await shown(report)).toMatch(/^  \? A1 +2\/2 /m);
  });

  it.each<[Partial<Usage>, string | null]>([
    [{}, null],
    [{ inputTokens: 0, outputTokens: 0 }, "; judge: cached answers, $0"],
    [{ inputTokens: 0 }, "; judge: 0 tokens in, unknown out, cost unknown"],
    [{ outputTokens: 7 }, "; judge: unknown tokens in, 7 out, cost unknown"],
    [{ inputTokens: 5, outputTokens: 7, costUsd: 1 }, "; judge: 5 tokens in, 7 out, $1.00"],
  ])("says what the judge used, as far as it is known: %j", async (known, text) => {
    const report = aReport([{ caseId: "A1", verdicts: [{ checkId: "a" }] }]);
    const judgeUsage = { ...UNKNOWN_USAGE, ...known };
    const out = await shown({ ...report, summary: { ...report.summary, judgeUsage } });
    expect(/; judge: .*$/m.exec(out)?.[0] ?? null).toBe(text);
  });

  it("breaks lines between words where the terminal ends, and shows symbols", async () => {
    const text = "the report names every one of the measured values in the order of the table";
    const verdicts = [
      { checkId: "a", text, status: "failed", reason: "it names only three of seven" },
    ] as const;
    const report = aReport([
      { caseId: "a-case-with-a-long-name-that-nobody-would-choose-for-a-narrow-terminal", verdicts },
      { caseId: "B", verdicts: [{ checkId: "b" }] },
    ]);
    const out = await shown(report, 25, { look: { columns: 60, color: false, symbols: true, brief: false } });
    expect(out).toMatchInlineSnapshot(`
      "
          case                           passed  checks  time/run
        ✗ a-case-with-a-long-name-that…     0/1     0/1     1.5 s
        ✓ B                                 1/1     1/1     1.5 s

        eval-a-case-with-a-long-name-that-nobody-would-choose-for-a-narrow-terminal/with_skill/run-1
          ✗ the report names every one of the measured values in
              the order of the table: it names only three of
              seven; 1 of 1

      demo: FAILED: 1 of 2 cases
        with_skill: checks passed 1 of 2 (50 %, 95 % interval by
          case 9 to 91 %, 2 cases); 2 of 2 trials counted, skill
          loaded in 2
        cases without any check: 2
        agents: tokens and cost unknown; agent time 3.0 s
        results: demo/iteration-1
      "
    `);
  });

  it("counts cases that passed where there are many, and lists the others first", async () => {
    const report = aReport(
      Array.from({ length: 40 }, (_, at) => ({
        caseId: `c${at}`,
        verdicts: [{ checkId: "a", status: at === 33 ? ("failed" as const) : ("passed" as const) }],
      })),
    );
    const [head, first, ...rest] = (await shown(report)).trimStart().split("\n");
    expect(head).toMatch(/^case +passed +checks +time\/run$/);
    expect(first).toMatch(/^  x c33 +0\/1 +0\/1 /);
    expect(rest).toContain("  … and 20 more passed");
  });

  it("marks a case that passes in some of its runs", async () => {
    const report = aReport(
      ([1, 2, 3] as const).map((repetition) => ({
        caseId: "A1",
        repetition,
        verdicts: [{ checkId: "a", status: repetition === 2 ? ("failed" as const) : ("passed" as const) }],
      })),
    );
    expect(await shown(report)).toMatch(/^  x A1 +2\/3 +flaky +2\/3 +1\.5 s$/m);
  });

  it("paints marks and nothing that was said", async () => {
    const verdicts = [{ checkId: "a", text: "is \u001B[31mred", status: "failed", reason: "it is" }] as const;
    const look = { columns: 80, color: true, symbols: true, brief: false };
    const out = await shown(aReport([{ caseId: "A1", verdicts }]), 25, { look });
    expect(out).toContain("    \u001B[31m✗\u001B[39m is \\u001b[31mred: it is");
  });

  it("is short for a coding agent, with the verdict and what failed first", async () => {
    const report = aReport([
      { caseId: "A1", verdicts: [{ checkId: "a", text: "greets Ada", status: "failed", reason: "no Ada" }] },
      { caseId: "A2", verdicts: [{ checkId: "b" }] },
    ]);
    const look = { columns: null, color: false, symbols: false, brief: true };
    const command = "assay run skills/demo";
    expect(await shown(report, 25, { look, command })).toMatchInlineSnapshot(`
      "
      demo: FAILED: 1 of 2 cases
        eval-A1/with_skill/run-1
          x greets Ada: no Ada; 1 of 1
        with_skill: checks passed 1 of 2 (50 %, 95 % interval by case 9 to 91 %, 2 cases); 2 of 2 trials counted, skill loaded in 2
        cases without any check: 2
        Next: assay show demo/iteration-1/eval-A1/with_skill/run-1
      "
    `);
  });

  describe("names what to do next", () => {
    const next = async (report: IterationReport, command = "assay run skills/demo", results = ".assay/") => {
      const show = (path: string) => path.replace("/results/", results);
      const out = await shown(report, 25, { command, show });
      return /^ {2}Next: (.*)$/m.exec(out)?.[1] ?? null;
    };
    const failed = [{ checkId: "a", status: "failed", reason: "no" }] as const;

    it.each<[string, IterationReport, string | null]>([
      ["a failure is looked at", aReport([{ caseId: "A1", verdicts: failed }]), "assay show A1"],
      [
        "a name that a shell would split is quoted",
        aReport([{ caseId: "it's $me", verdicts: failed }]),
        String.raw`assay show 'it'\''s $me'`,
      ],
      [
        "what is missing is run",
        aReport([{ caseId: "A1", outcome: leftOut("api", "overloaded") }]),
        "assay run skills/demo --resume",
      ],
      [
        "what no judge decided is graded",
        aReport([{ caseId: "A1", verdicts: [{ checkId: "a", ...NO_JUDGE }] }]),
        "assay grade --no-cache",
      ],
      [
        "what passed is compared with no skill",
        aReport([{ caseId: "A1", verdicts: [{ checkId: "a" }] }]),
        "assay bench skills/demo",
      ],
    ])("%s", async (_, report, command) => {
      expect(await next(report)).toBe(command);
    });

    it("by its folder where results are elsewhere", async () => {
      const report = aReport([{ caseId: "A1", verdicts: failed }]);
      expect(await next(report, "assay run . --workspace /else", "/else/")).toBe(
        "assay show /else/demo/iteration-1/eval-A1/with_skill/run-1",
      );
    });

    const passed = aReport([{ caseId: "A1", verdicts: [{ checkId: "a" }] }]);
    it.each<[string, string | null]>([
      ["assay run skills/demo --harness codex -n 3 --resume", "assay bench skills/demo --harness codex -n 3"],
      ["assay run skills/demo --watch", "assay bench skills/demo"],
      ["assay run", "assay bench"],
      ["assay run skills/demo --mode task", null],
      ["assay grade demo", null],
      ["assay show", null],
    ])("after %s passed: %s", async (command, expected) => {
      expect(await next(passed, command)).toBe(expected);
    });

    it("of a skill that was never loaded, no benchmark", async () => {
      const { summary } = passed;
      expect(await next({ ...passed, summary: { ...summary, alarms: ["never loaded"] } })).toBeNull();
    });

    it("of a benchmark that found the skill better, a report to share", async () => {
      const decision = {
        action: "ship",
        text: "Ship it",
        moreRuns: null,
        moreCases: null,
        costUsd: null,
      } as const;
      const benchmark: BenchmarkSummary = {
        verdict: "better",
        decision,
        alarms: [],
        arms: [],
        comparisons: [],
        cases: [],
        notes: [],
        adaptive: null,
        noise: null,
      };
      const report = { ...passed, summary: { ...passed.summary, benchmark } };
      expect(await next(report, "assay bench skills/demo")).toBe(
        "assay report .assay/demo/iteration-1 --out demo.html",
      );
    });

    it("of a regrade that is still incomplete, nothing that would run agents", async () => {
      const report = aReport([{ caseId: "A1", outcome: leftOut("api", "overloaded") }]);
      expect(await next(report, "assay grade demo")).toBeNull();
    });
  });

  it("lets no control character through", async () => {
    const verdicts = [{ checkId: "a", text: "is \u001B[31mred", status: "failed", reason: "it is" }] as const;
    expect(await shown(aReport([{ caseId: "A1", verdicts }]))).not.toContain("\u001B");
  });
});

describe("what the terminal says on the way", () => {
  const trial = {
    id: "A1/with_skill/run-1",
    key: "k",
    caseId: "A1",
    variant: "with_skill",
    repetition: 1,
  } as const;
  const at = "2026-01-15T10:30:00.000Z";

  it("has a line for each trial that ended", () => {
    const { reporter, said } = terminal();
    const events: EvalEvent[] = [
      { at, kind: "iteration-started", iteration: anIteration(), cases: [], trials: [trial], resumed: true },
      { at, kind: "trial-started", trial, attempt: 1 },
      {
        at,
        kind: "trial-finished",
        trial,
        attempt: 1,
        run: aRun({ outcome: leftOut("api", "overloaded") }),
        folder: "x",
      },
      { at, kind: "trial-finished", trial, attempt: 2, run: aRun(), folder: "x" },
      {
        at,
        kind: "verdicts-recorded",
        trial,
        grading: aGrading(trial.id, [aVerdict(), aVerdict({ checkId: "d", ...NO_JUDGE })]),
      },
    ];
    for (const event of events) reporter.event?.(event, anIteration());
    expect(said.progress).toBe(
      [
        "demo: 1 trial with scripted, resumed",
        "  A1/with_skill/run-1: api: overloaded",
        "  1/1 A1/with_skill/run-1: 1/2 checks passed, 1 unscored",
        "",
      ].join("\n"),
    );
    expect(said.out).toBe("");
  });
});
