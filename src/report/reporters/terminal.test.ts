import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import type { EvalEvent } from "../../domain/event.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { aReport } from "../../../test/support/reports.ts";
import { aGrading, anIteration, aRun, aVerdict } from "../../../test/support/runs.ts";
import { ALL_REPORTED, type IterationReport } from "../reporter.ts";
import { terminalReporter } from "./terminal.ts";

function terminal(mostFailures = 25) {
  const said = { progress: "", out: "" };
  const reporter = terminalReporter({
    progress: (text) => void (said.progress += text),
    write: (text) => void (said.out += text),
    show: (path) => path.replace("/results/", ""),
    mostFailures,
  });
  return { reporter, said };
}

async function shown(report: IterationReport, mostFailures?: number): Promise<string> {
  const { reporter, said } = terminal(mostFailures);
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
  it("has failures with their evidence first, then what is open, then the numbers", async () => {
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
      demo: INCOMPLETE, some results are missing
        eval-A1/with_skill/run-1
          x L1 greets Ada: it greets Bob; 1 of 1
          ? L3 is warm: there is no judge
        with_skill: checks passed 1 of 2 (50 %, 95 % interval 9 to 91 %); 1 of 1 trials counted
        unscored checks: 1; retry without running: assay grade
        cases without any check: 1
        agents: tokens and cost unknown; agent time 1.5 s
        results: demo/iteration-1
      "
    `);
  });

  it("says once why the checks of a run failed together", async () => {
    const verdicts = ["a", "b", "c"].map((checkId) => ({ checkId, text: checkId, ...failedBy("timed out") }));
    const out = await shown(aReport([{ caseId: "A1", outcome: LATE, verdicts }]));
    expect(out).toContain("  eval-A1/with_skill/run-1\n    x 3 checks: the run timed out\n  with_skill");
  });

  it("says once why nothing could be decided, over all runs and cases", async () => {
    const verdicts = ["a", "b"].map((checkId) => ({ checkId, text: checkId, ...NO_JUDGE }));
    const report = aReport(
      ["A1", "A2"].flatMap((caseId) => [1, 2].map((repetition) => ({ caseId, repetition, verdicts }))),
    );
    expect(await shown(report)).toContain(
      "  eval-A1/with_skill/run-1 and 3 more runs\n    ? 4 checks: there is no judge\n  with_skill",
    );
  });

  it("names a check once that fails alike in several runs", async () => {
    const verdicts = [{ checkId: "a", text: "greets Ada", status: "failed", reason: "no Ada" }] as const;
    const report = aReport([1, 2, 3].map((repetition) => ({ caseId: "A1", repetition, verdicts })));
    const out = await shown(report);
    expect(out.match(/greets Ada/g)).toHaveLength(1);
    expect(out).toContain("  eval-A1/with_skill/run-1 and 2 more runs\n    x L1 greets Ada: no Ada");
  });

  it("names every check that fails for itself, whatever the reasons have in common", async () => {
    const verdicts = ["Ada", "Bob", "Cyd"].map((name) => ({
      checkId: name,
      text: `greets ${name}`,
      status: "failed" as const,
      reason: "not found",
    }));
    const out = await shown(aReport([{ caseId: "A1", verdicts }]));
    for (const name of ["Ada", "Bob", "Cyd"]) expect(out).toContain(`x L1 greets ${name}: not found`);
  });

  it("says how many more there are", async () => {
    const verdicts = [1, 2, 3, 4].map((n) => ({
      checkId: `c${n}`,
      text: `check ${n}`,
      status: "failed" as const,
      reason: `reason ${n}`,
    }));
    const out = await shown(aReport([{ caseId: "A1", verdicts }]), 1);
    expect(out).toContain("x L1 check 1");
    expect(out).not.toContain("check 2");
    expect(out).toContain("and 3 more; assay show has all of them");
  });

  it("counts only the runs that could be held to their gate", async () => {
    const failure: Outcome = leftOut("api", "overloaded");
    const report = aReport([
      { caseId: "A1", repetition: 1, verdicts: [{ checkId: "a" }] },
      { caseId: "A1", repetition: 2, verdicts: [{ checkId: "a" }] },
      { caseId: "A1", repetition: 3, outcome: failure },
    ]);
    expect(await shown(report)).toContain("A1 (with_skill): passed in 2 of 2 runs");
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
