import type { Bound, CaseSummary, Gate, Remark, TrialSummary } from "../../domain/summary.ts";
import type { QuerySummary } from "../../domain/triggers.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { countsAs } from "../../domain/run.ts";
import { timeOf } from "../costs.ts";
import { xmlText } from "../../lib/xml-text.ts";
import { boundText, EVERY_CHECK } from "../bounds.ts";
import { isHeld, whyBorne } from "../held.ts";
import {
  ALL_REPORTED,
  type IterationName,
  type IterationReport,
  type Reporter,
  type Unreported,
} from "../reporter.ts";
import { remarkText } from "../remarks.ts";
import { outcomeText, verdictText } from "../text.ts";

/**
 * JUnit XML for CI: a suite for each case and variant, a test for each check of each run, one for each trigger query. It
 * fails where the exit code does: a failed check that its case's gate bears is skipped, and baselines are not in it. What
 * could not be counted is an error, what could not be decided is skipped.
 */
export function junitReporter(write: (text: string) => void | Promise<void>): Reporter {
  return {
    name: "junit",
    finish: (reports, rest) => write(junitXml(reports, rest)),
  };
}

export function junitXml(
  reports: readonly IterationReport[],
  { failures, notBegun }: Unreported = ALL_REPORTED,
): string {
  const missing = [
    ...failures.map((one) => missingSuite(one, one.message)),
    ...notBegun.map((one) => missingSuite(one, "it was not started")),
  ];
  const suites = [...reports.flatMap(suitesOf), ...missing];
  // Services that check files know no count of skipped tests here.
  const { skipped: _skipped, ...all } = counts(suites.flatMap(({ tests }) => tests));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "assay", ...all })}>`,
    ...suites.map(suiteXml),
    "</testsuites>",
    "",
  ].join("\n");
}

/** Nothing is known of it, which must not look like a pass. */
function missingSuite({ suite, harness }: IterationName, message: string): TestSuite {
  const end = { kind: "error", type: "not-evaluated", message, text: message } as const;
  return {
    name: suite,
    seconds: null,
    timestamp: null,
    tests: [{ name: `${suite} with ${harness}`, classname: suite, end }],
  };
}

interface TestSuite {
  readonly name: string;
  readonly seconds: number | null;
  /** ISO 8601; null where nothing was begun. */
  readonly timestamp: string | null;
  readonly tests: readonly TestCase[];
  /** What judges and agents said beside the verdicts; absent: nothing. */
  readonly remarks?: readonly Remark[];
}

interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly end:
    | { readonly kind: "passed" }
    | {
        readonly kind: "failure" | "error";
        readonly type: string;
        readonly message: string;
        readonly text: string;
      }
    | { readonly kind: "skipped"; readonly message: string };
}

function suitesOf(report: IterationReport): TestSuite[] {
  const { summary, evaluated } = report;
  const gating = summary.cases.filter(
    ({ kind, variant }) => kind === "task" && isHeld(variant, evaluated.iteration),
  );
  const tasks = gating.map((one) => ({
    name: `${summary.suite} ${one.caseId} ${one.variant}`,
    seconds: (timeOf(one.trials) ?? 0) / 1000,
    timestamp: evaluated.iteration.createdAt,
    tests: caseTests(one, report),
    remarks: summary.remarks.filter(({ trialIds }) =>
      one.trials.some(({ trialId }) => trialIds.includes(trialId)),
    ),
  }));
  const suites = [...tasks, ...gateSuites(report)];
  if (summary.triggers === null) return suites;
  const classname = `${summary.suite}.triggers`;
  const { queries, validity } = summary.triggers;
  const tests: TestCase[] = queries.map((query) => ({
    name: queryName(query),
    classname,
    end: queryEnd(query),
  }));
  if (validity.status === "invalid") {
    const { reason } = validity;
    tests.push({
      name: "the setup is valid",
      classname,
      end: { kind: "error", type: "invalid", message: reason, text: reason },
    });
  }
  return [
    ...suites,
    { name: `${summary.suite} triggers`, seconds: null, timestamp: evaluated.iteration.createdAt, tests },
  ];
}

/** Gates that no case has for itself, such as the comparison of a benchmark. */
function gateSuites({ summary, evaluated }: IterationReport): TestSuite[] {
  const name = `${summary.suite} gates`;
  const tests = summary.gates
    .filter(({ caseId }) => caseId === null)
    .map(({ name: gate, met, detail }): TestCase => ({
      name: gate,
      classname: `${summary.suite}.gates`,
      end: met ? { kind: "passed" } : { kind: "failure", type: "gate", message: detail, text: detail },
    }));
  return tests.length === 0 ? [] : [{ name, seconds: null, timestamp: evaluated.iteration.createdAt, tests }];
}

function caseTests(one: CaseSummary, report: IterationReport): TestCase[] {
  const { evaluated, summary } = report;
  const classname = `${summary.suite}.${one.caseId}.${one.variant}`;
  const planned = evaluated.trials.filter(
    ({ caseId, variant }) => caseId === one.caseId && variant === one.variant,
  );
  const gate = summary.gates.find(({ caseId }) => caseId === one.caseId);
  const tests = planned.flatMap(({ id, repetition }): TestCase[] => {
    const trial = one.trials.find(({ trialId }) => trialId === id);
    const run = planned.length === 1 ? "" : ` [run-${repetition}]`;
    if (trial === undefined) {
      return [{ name: `run-${repetition}`, classname, end: { kind: "skipped", message: "it was not run" } }];
    }
    if (countsAs(trial.outcome) === "left-out") return [leftOut(trial, `run-${repetition}`, classname)];
    const verdicts = evaluated.gradings.get(id)?.verdicts ?? [];
    if (verdicts.length === 0) {
      return [
        {
          name: `run-${repetition}`,
          classname,
          end: { kind: "skipped", message: "there is no verdict on it" },
        },
      ];
    }
    const place = report.runFolders.get(id) ?? id;
    return [
      ...verdicts.map((verdict) => ({
        name: `${checkName(verdict)}${run}`,
        classname,
        end: verdictEnd(verdict, place, gate),
      })),
      ...boundTests(trial.bounds, { run, classname, gate }),
    ];
  });
  return [...tests, ...boundTests(gate?.bounds ?? [], { run: "", classname, gate })];
}

/** Bounds that somebody set: without them a gate could be missed with every check passed. */
function boundTests(
  bounds: readonly Bound[],
  { run, classname, gate }: { run: string; classname: string; gate: Gate | undefined },
): TestCase[] {
  return bounds
    .filter(({ name }) => name !== EVERY_CHECK)
    .map((bound) => ({ name: `gate ${bound.name}${run}`, classname, end: boundEnd(bound, gate) }));
}

function boundEnd(bound: Bound, gate: Gate | undefined): TestCase["end"] {
  if (bound.met) return { kind: "passed" };
  const message = boundText(bound);
  const borne = whyBorne(gate);
  if (borne !== null) return { kind: "skipped", message: `missed, but ${borne}: ${message}` };
  return { kind: "failure", type: "gate", message, text: message };
}

function leftOut({ outcome }: TrialSummary, name: string, classname: string): TestCase {
  const text = outcomeText(outcome);
  return { name, classname, end: { kind: "error", type: outcome.status, message: text, text } };
}

function checkName({ layer, checkId, text, entry }: Verdict): string {
  const at = entry === null ? "" : ` (entry ${entry + 1})`;
  const said = text === checkId ? text : `${checkId}: ${text}`;
  return `${layer} ${said.replaceAll(/\s+/g, " ").slice(0, MOST_NAME)}${at}`;
}

/** Longer names are cut by what shows them. */
const MOST_NAME = 200;

function verdictEnd(verdict: Verdict, place: string, gate: Gate | undefined): TestCase["end"] {
  switch (verdict.status) {
    case "passed":
      return { kind: "passed" };
    case "unscored":
      return { kind: "skipped", message: `unscored: ${verdict.reason}` };
    case "failed": {
      const message = verdict.reason === "" ? "failed" : verdict.reason;
      const borne = whyBorne(gate);
      if (borne !== null) return { kind: "skipped", message: `failed, but ${borne}: ${message}` };
      return { kind: "failure", type: verdict.layer, message, text: `${verdictText(verdict)}\n${place}` };
    }
  }
}

function queryName({ query, shouldTrigger }: QuerySummary): string {
  const line = query.replaceAll(/\s+/g, " ").slice(0, MOST_NAME);
  return `${shouldTrigger ? "fires on" : "stays silent on"}: ${line}`;
}

function queryEnd({ status, reason }: QuerySummary): TestCase["end"] {
  switch (status) {
    case "passed":
      return { kind: "passed" };
    case "unsettled":
    case "unscored":
      return { kind: "skipped", message: `${status}: ${reason}` };
    case "failed":
      return { kind: "failure", type: "trigger", message: reason, text: reason };
  }
}

function suiteXml({ name, seconds, timestamp, tests, remarks = [] }: TestSuite): string {
  const time = seconds === null ? {} : { time: seconds.toFixed(3) };
  const head = attributes({ name, ...counts(tests), ...time, ...(timestamp !== null && { timestamp }) });
  return [`  <testsuite${head}>`, ...propertiesXml(remarks), ...tests.map(testXml), "  </testsuite>"].join(
    "\n",
  );
}

function propertiesXml(remarks: readonly Remark[]): string[] {
  if (remarks.length === 0) return [];
  const each = remarks.map(
    (remark) => `      <property${attributes({ name: remark.kind, value: remarkText(remark) })}/>`,
  );
  return ["    <properties>", ...each, "    </properties>"];
}

function testXml({ name, classname, end }: TestCase): string {
  const head = `    <testcase${attributes({ name, classname })}`;
  switch (end.kind) {
    case "passed":
      return `${head}/>`;
    case "skipped":
      return `${head}><skipped${attributes({ message: end.message })}/></testcase>`;
    case "failure":
    case "error": {
      const { kind, type, message, text } = end;
      return `${head}><${kind}${attributes({ type, message })}>${xmlText(text)}</${kind}></testcase>`;
    }
  }
}

function counts(tests: readonly TestCase[]) {
  const count = (kind: TestCase["end"]["kind"]) =>
    String(tests.filter(({ end }) => end.kind === kind).length);
  return {
    tests: String(tests.length),
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`)
    .join("");
}
