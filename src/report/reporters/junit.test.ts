import { describe, expect, it } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import { aReport, type Told } from "../../../test/support/reports.ts";
import { junitXml } from "./junit.ts";

describe("the junit reporter", () => {
  it("has a suite for each case and variant, and a test for each check", () => {
    const xml = junitXml([
      aReport([
        {
          caseId: "A1",
          verdicts: [
            { checkId: "a", text: "it greets" },
            {
              checkId: "b",
              text: 'says <why> & "how"',
              status: "failed",
              layer: "L3",
              reason: "no reason\u0007 given",
            },
            { checkId: "c", text: "is cheap", status: "unscored", reason: "cost unknown", evidence: [] },
            { checkId: "d", text: "d", entry: 2, layer: "L2" },
          ],
        },
      ]),
    ]);
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay" tests="4" failures="1" errors="0">
  <testsuite name="demo A1 with_skill" tests="4" failures="1" errors="0" skipped="1" time="1.500" timestamp="2026-01-15T10:30:00.000Z">
    <testcase name="L1 a: it greets" classname="demo.A1.with_skill"/>
    <testcase name="L3 b: says &lt;why&gt; &amp; &quot;how&quot;" classname="demo.A1.with_skill"><failure type="L3" message="no reason given">no reason given; 1 of 1&#10;eval-A1/with_skill/run-1</failure></testcase>
    <testcase name="L1 c: is cheap" classname="demo.A1.with_skill"><skipped message="unscored: cost unknown"/></testcase>
    <testcase name="L2 d (entry 3)" classname="demo.A1.with_skill"/>
  </testsuite>
</testsuites>
`);
  });

  it("shows left-out runs as errors, runs never made and runs without verdicts as skipped", () => {
    const xml = junitXml([
      aReport([
        { caseId: "A1", repetition: 1, outcome: leftOut("rate-limit", "429 <slow down>") },
        { caseId: "A1", repetition: 2, outcome: null },
        { caseId: "A1", repetition: 3, verdicts: [] },
      ]),
    ]);
    expect(xml).toContain(
      '<testcase name="run-1" classname="demo.A1.with_skill"><error type="rate-limit" message="rate-limit: 429 &lt;slow down&gt;">',
    );
    expect(xml).toContain('name="run-2" classname="demo.A1.with_skill"><skipped message="it was not run"/>');
    expect(xml).toContain(
      'name="run-3" classname="demo.A1.with_skill"><skipped message="there is no verdict on it"/>',
    );
    expect(xml).toContain('tests="3" failures="0" errors="1" skipped="2"');
  });

  it("fails where the exit code does: what a gate bears is skipped, and baselines are not in it", () => {
    const runs = [1, 2].map((repetition) => ({
      caseId: "A1",
      repetition,
      verdicts: [{ status: repetition === 1 ? ("passed" as const) : ("failed" as const), reason: "unlucky" }],
    }));
    const baseline: Told = { caseId: "A1", variant: "without_skill", verdicts: [{ status: "failed" }] };
    const borne = junitXml([aReport([...runs, baseline], { variance: { runs: 2, minStability: 0.5 } })]);
    expect(borne).toContain('tests="3" failures="0" errors="0" skipped="1"');
    expect(borne).toContain(
      '[run-2]" classname="demo.A1.with_skill"><skipped message="failed, but the case&apos;s gate is met: unlucky"/>',
    );
    expect(borne).not.toContain("without_skill");
    const missed = junitXml([aReport(runs, { variance: { runs: 2, minStability: 0.8 } })]);
    expect(missed).toContain('tests="3" failures="2" errors="0" skipped="0"');
  });

  it.each([
    [true, 'tests="2" failures="0" errors="0"'],
    [false, 'tests="2" failures="1" errors="0"'],
  ])("has a benchmark's gate (met: %s) and fails by nothing else", (met, counts) => {
    const report = aReport([{ caseId: "A1", verdicts: [{ status: "failed", reason: "unlucky" }] }]);
    const gates = [{ name: "benchmark", caseId: null, met, detail: "worse by 30 points" }];
    const xml = junitXml([{ ...report, summary: { ...report.summary, gates } }]);
    expect(xml).toContain(`<testsuites name="assay" ${counts}>`);
    expect(xml).toContain("failed, but no gate asks for it: unlucky");
    expect(xml.includes('<failure type="gate" message="worse by 30 points">')).toBe(!met);
  });

  it("is well formed without anything to report", () => {
    expect(junitXml([])).toContain(
      '<testsuites name="assay" tests="0" failures="0" errors="0">\n</testsuites>',
    );
  });
});
