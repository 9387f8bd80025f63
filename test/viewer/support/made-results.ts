import type { CaseComparison, LiftComparison } from "../../../src/domain/benchmark.ts";
import type { Check } from "../../../src/domain/check.ts";
import type { Iteration } from "../../../src/domain/iteration.ts";
import type {
  GridCase,
  GridRun,
  ImprovePage,
  IterationAddress,
  IterationLine,
  IterationPage,
  OverviewPage,
  TriggersPage,
  VotesPage,
} from "../../../src/domain/pages.ts";
import { liveState, skillPage, triggerSets } from "./made-pages.ts";
import { NOTHING_DONE, type Run, type Usage } from "../../../src/domain/run.ts";
import type {
  ComparePage,
  FeedbackPage,
  RunPage,
  TimelineEvent,
  TimelineIndex,
} from "../../../src/domain/run-pages.ts";
import type { Summary } from "../../../src/domain/summary.ts";
import type { TranscriptBody } from "../../../src/domain/transcript.ts";
import type { Variant } from "../../../src/domain/trial.ts";
import type { Verdict } from "../../../src/domain/verdict.ts";
import { ask, type StaticData } from "../../../src/viewer/api.ts";

/** Words that a stranger's agent wrote, wherever it could write some. */
export interface Planted {
  readonly text: string;
  /** Of a file. */
  readonly path: string;
}

export interface MadeOptions {
  readonly cases: number;
  /** Steps of the first run. */
  readonly steps: number;
  readonly planted: Planted | null;
}

export const AT: IterationAddress = { skill: "csv-report", n: 7 };
const PAGE_SIZE = 100;
const CHECKS = [
  "names the two missing values",
  "says that there are 6 rows",
  "writes report.md",
  "keeps the order of the columns",
];
const NAMES = ["orders", "empty file", "one column", "dates", "quoted cells", "wide table"];
const USED: Usage = {
  inputTokens: 1840,
  outputTokens: 612,
  cacheReadTokens: 9200,
  cacheWriteTokens: 800,
  reasoningTokens: null,
  costUsd: 0.0183,
};

/** Every answer about one made-up skill, without running anything: for what the app does with answers. */
export function madeResults(given: Partial<MadeOptions> = {}): StaticData {
  const options: MadeOptions = { cases: 4, steps: 12, planted: null, ...given };
  const answers: Record<string, unknown> = {};
  const cases = Array.from({ length: options.cases }, (_, at) => gridCase(at, options));
  answers[ask.overview()] = overview(options);
  answers[ask.iteration(AT)] = iterationPage(cases, options);
  answers[ask.triggers(AT)] = triggersPage(options);
  answers[ask.improve(AT.skill)] = improvePage(options);
  answers[ask.feedback(AT)] = feedbackPage();
  answers[ask.votes(AT)] = { at: AT, votes: [] } satisfies VotesPage;
  answers[ask.triggerSets(AT)] = triggerSets(AT, options.planted?.text);
  answers[ask.live(AT)] = liveState(AT, options.planted?.text);
  answers[ask.skill(AT)] = skillPage(AT, options.planted?.text);
  for (const one of cases.slice(0, 30))
    for (const arm of one.arms)
      for (const run of arm.runs) Object.assign(answers, runAnswers(one, arm.variant, { run, options }));
  answers[
    ask.compare(
      { ...AT, trial: trialId(0, "with_skill", 1) },
      { ...AT, trial: trialId(0, "without_skill", 1) },
    )
  ] = comparePage(options);
  return { version: 1, answers, omitted: {} };
}

export function trialId(at: number, variant: Variant, repetition: number): string {
  return `${caseId(at)}/${variant}/run-${repetition}`;
}

function caseId(at: number): string {
  return `eval-${at}`;
}

function caseName(at: number): string {
  return at < NAMES.length
    ? (NAMES[at] ?? "")
    : `${NAMES[at % NAMES.length]} ${Math.floor(at / NAMES.length) + 1}`;
}

function overview(options: MadeOptions): OverviewPage {
  return {
    results: ".assay/results",
    problems: [],
    skills: [
      {
        skill: AT.skill,
        name: options.planted?.text ?? AT.skill,
        latest: 7,
        improved: true,
        iterations: [line(7, 0.91, 0.39), line(6, 0.83, 0.31), line(5, 0.7, 0.2), line(4, 0.52, 0.02)],
      },
      {
        skill: "release-notes",
        name: "release-notes",
        latest: 2,
        improved: false,
        iterations: [
          {
            ...line(2, 0.7, 0.12),
            headline: "Unsettled on these 3 cases: 58 % → 70 % (+12 points, −9 to +31)",
            lift: {
              verdict: "underpowered",
              lift: 0.12,
              interval: { low: -0.09, high: 0.31 },
              action: "add runs",
            },
          },
        ],
      },
      {
        skill: "decision-record",
        name: "decision-record",
        latest: 1,
        improved: false,
        iterations: [{ ...line(1, 0.83, null), verdict: "failed", headline: "2 of 12 checks fail" }],
      },
    ],
  };
}

function line(n: number, passed: number, lift: number | null): IterationLine {
  return {
    n,
    purpose: lift === null ? "run" : "bench",
    at: `2026-11-${String(8 + n).padStart(2, "0")}T09:30:00.000Z`,
    group: null,
    harness: "claude",
    model: "sonnet-4-6",
    progress: "complete",
    verdict: "passed",
    headline: lift === null ? "Passed" : "Better on these 4 cases: 52 % → 91 % (+39 points, +21 to +55)",
    passRate: {
      passed: Math.round(passed * 48),
      total: 48,
      interval: { low: passed - 0.11, high: Math.min(1, passed + 0.06) },
    },
    lift:
      lift === null
        ? null
        : { verdict: "better", lift, interval: { low: lift - 0.18, high: lift + 0.16 }, action: "ship" },
    runs: 24,
    costUsd: 0.42,
    loaded: { loaded: 12, runs: 12 },
    triggers: null,
    partial: false,
    changed: n === 6 ? ["skill"] : [],
  };
}

function gridCase(at: number, { planted }: MadeOptions): GridCase {
  const better = at % 4 !== 1;
  const arms = (["with_skill", "without_skill"] as const).map((variant) => {
    const runs = [1, 2, 3].map((repetition): GridRun => gridRun(at, variant, { repetition, better }));
    const letters = runs.map(({ verdicts }) => verdicts).join("");
    const passed = letters.split("p").length - 1;
    const total = passed + letters.split("f").length - 1;
    return {
      variant,
      runs,
      stability: null,
      checks: { passed, total, rate: total === 0 ? null : passed / total, low: null, high: null },
    };
  });
  return {
    caseId: caseId(at),
    name: planted?.text ?? caseName(at),
    kind: "task",
    prompt: planted?.text ?? `Write a report about ${caseName(at)}.csv.`,
    checks: CHECKS.map((text, which) => ({
      id: `c${which}`,
      text: planted?.text ?? text,
      layer: which < 2 ? "L3" : "L1",
      weak: which === 3 && at === 0 ? ["It passed in every run of both arms."] : [],
    })),
    arms,
    comparison: comparison(at, better ? 0.39 : -0.08),
    interval: better ? { low: 0.12 + (at % 3) * 0.05, high: 0.66 } : { low: -0.3, high: 0.14 },
  };
}

function gridRun(
  at: number,
  variant: Variant,
  { repetition, better }: { readonly repetition: number; readonly better: boolean },
): GridRun {
  const good = variant === "with_skill" ? better || repetition < 3 : !better && repetition !== 2;
  const leftOut = at % 7 === 3 && variant === "without_skill" && repetition === 3;
  return {
    trial: trialId(at, variant, repetition),
    repetition,
    status: leftOut ? "rate-limit" : "completed",
    verdicts: leftOut ? "----" : good ? "pppp" : at % 2 === 0 ? "fppp" : "ffpu",
    seconds: 20 + ((at * 7 + repetition * 11) % 23) + (variant === "with_skill" ? 0 : 9),
    tokens: 9000 + ((at * 1300 + repetition * 700) % 6000),
    costUsd: 0.012 + ((at + repetition) % 5) * 0.003,
    loaded: variant === "with_skill" ? true : null,
    reused: false,
  };
}

function comparison(at: number, difference: number): CaseComparison {
  return {
    caseId: caseId(at),
    name: caseName(at),
    treatment: { runs: 3, scored: 3, passRate: 0.9, stddev: 0.1 },
    baseline: { runs: 3, scored: 3, passRate: 0.9 - difference, stddev: 0.1 },
    difference,
    noSignal: difference > 0 ? [] : ["Both arms pass nearly every check: the case is too easy."],
  };
}

const ITERATION: Iteration = {
  schema: 1,
  number: 7,
  purpose: "bench",
  group: null,
  createdAt: "2026-11-15T09:30:00.000Z",
  suite: "csv-report",
  skill: { path: "skills/csv-report", sha256: "0".repeat(64) },
  evalFiles: [],
  harness: "claude",
  client: { name: "claude", version: "2.1.197" },
  model: "sonnet-4-6",
  judge: { provider: "openai", model: "gpt-5.4" },
  seed: 1,
  versions: { assay: "0.1.0", node: "20.19.0", platform: "linux" },
  options: { sandbox: "bwrap" },
  prices: null,
};

function iterationPage(cases: readonly GridCase[], { planted }: MadeOptions): IterationPage {
  const words = planted?.text;
  return {
    at: AT,
    iteration: ITERATION,
    progress: "complete",
    summary: summary(cases.length * 6, words),
    words: {
      headline: words ?? "Better on these 4 cases: 52 % → 91 % (+39 points, +21 to +55).",
      theseCases: null,
      otherCases: "On other cases like these: 3 of 4 improved, too few to tell.",
      decision: "Ship it.",
    },
    cases,
    leftOut: cases
      .filter((_, at) => at % 7 === 3)
      .map((_, at) => ({
        trial: trialId(at * 7 + 3, "without_skill", 3),
        status: "rate-limit",
        reason: words ?? "The model service refused: too many requests.",
      })),
    notes: [words ?? "Two cases pass without the skill as often as with it."],
    others: [line(6, 0.83, 0.31), line(5, 0.7, 0.2)],
    compared: {
      n: 6,
      together: { change: "moved", difference: 0.08, pValue: 0.2, runsToTell: 6 },
      flips: [
        {
          caseId: caseId(0),
          checkId: "c0",
          text: words ?? CHECKS[0] ?? "",
          change: "fixed",
          before: { passed: 0, runs: 3 },
          after: { passed: 3, runs: 3 },
          pValue: 0.05,
        },
      ],
      caveats: ["The skill changed in between."],
    },
    problems: [],
  };
}

function summary(trials: number, planted: string | undefined): Omit<Summary, "cases"> {
  const rate = { passed: 44, total: 48, rate: 0.91, low: 0.8, high: 0.97 };
  return {
    suite: AT.skill,
    iteration: AT.n,
    harness: "claude",
    model: "sonnet-4-6",
    verdict: "passed",
    gates: [],
    trials,
    variants: [],
    triggers: triggersPage({ cases: 0, steps: 0, planted: null }).triggers,
    benchmark: {
      verdict: "better",
      decision: { action: "ship", moreRuns: null, costUsd: null, moreCases: null, text: "Ship it." },
      alarms: [],
      arms: [],
      comparisons: [
        {
          treatment: "with_skill",
          baseline: "without_skill",
          passRate: lift(),
          seconds: null,
          tokens: null,
          costUsd: null,
        },
      ],
      cases: [],
      notes: [planted ?? "One check passes in every run of both arms."],
      adaptive: null,
      noise: null,
    },
    missing: { notRun: 0, leftOut: { "rate-limit": 1 }, unscoredChecks: 1, ungradedCases: 0 },
    usage: USED,
    spending: {
      made: { attempts: trials, usage: USED },
      replaced: { attempts: 0, usage: USED },
      reused: { runs: 0, usage: USED, durationMs: null },
    },
    judgeUsage: USED,
    durationMs: 600_000,
    remarks: [
      {
        kind: "weak-check",
        trialIds: [],
        check: planted ?? CHECKS[3] ?? "",
        text: planted ?? `Any report passes it (${rate.passed} of ${rate.total}).`,
      },
    ],
    alarms: [],
  };
}

function lift(): LiftComparison {
  return {
    verdict: "better",
    cases: 4,
    casesLeftOut: 0,
    runs: { treatment: 12, baseline: 12 },
    gains: 3,
    losses: 1,
    ties: 0,
    rates: { treatment: 0.91, baseline: 0.52 },
    lift: 0.39,
    interval: { low: 0.21, high: 0.55 },
    alpha: 0.05,
    minEffect: 0.1,
    pValue: 0.002,
    pWorse: 0.99,
    smallestPValue: 0.001,
    plannedEffect: null,
    runsNeeded: null,
    otherCases: {
      verdict: "too few",
      interval: null,
      pValue: null,
      improvesAtLeast: null,
      worsensAtLeast: null,
      casesNeeded: 6,
    },
    explanation: "",
  };
}

interface Which {
  readonly run: GridRun;
  readonly options: MadeOptions;
}

function runAnswers(of: GridCase, variant: Variant, { run, options }: Which): Record<string, unknown> {
  const at = { ...AT, trial: run.trial };
  const words = options.planted?.text;
  const path = options.planted?.path ?? "out/report.md";
  const first = run.trial === trialId(0, "with_skill", 1);
  const events = bodies(variant, words, first ? options.steps : 12);
  const kinds = events.map(letterOf).join("");
  const answers: Record<string, unknown> = {
    [ask.run(at)]: runPage(of, variant, { run, options }),
    [ask.timelineIndex(at)]: {
      at,
      events: events.length,
      bytes: events.length * 400,
      kinds,
      pageSize: PAGE_SIZE,
      tokens: events.flatMap((body, index) =>
        body.kind === "usage" ? [[index, 300 + ((index * 97) % 900)] as const] : [],
      ),
      problems: [],
    } satisfies TimelineIndex,
    [ask.fileText(at, { area: "outputs", path })]: {
      area: "outputs",
      path,
      text:
        words ??
        "# Report\n\nSix rows, two missing values.\n\n| column | missing |\n|---|---|\n| price | 2 |\n| name | 0 |\n\n- `price` lacks **two** values\n- see [the docs](https://example.org)\n",
      problem: null,
    },
    [ask.fileText(at, { area: "outputs", path: "summary.csv" })]: {
      area: "outputs",
      path: "summary.csv",
      text: words ?? 'column,missing\nprice,2\n"name, first",0\n',
      problem: null,
    },
    [ask.fileDiff(at, path)]: {
      path,
      patch: `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+${words ?? "# Report"}\n`,
      problem: null,
    },
    [ask.fileText(at, { area: "inputs", path: "report.py" })]: {
      area: "inputs",
      path: "report.py",
      text:
        words ??
        'import csv\n\n# Count what is missing.\ndef missing(path):\n    with open(path) as file:\n        return sum(1 for row in csv.reader(file) if "" in row)\n',
      problem: null,
    },
  };
  for (let page = 0; page * PAGE_SIZE < events.length; page++)
    answers[ask.timeline(at, page)] = {
      page,
      events: events.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map((body, nth): TimelineEvent => ({
        event: { index: page * PAGE_SIZE + nth, turn: 1, agent: null, ...body },
        cut: 0,
        cited: page === 0 && nth === 6 ? ["c0", "c1"] : [],
      })),
    };
  return answers;
}

function bodies(variant: Variant, planted: string | undefined, steps: number): readonly TranscriptBody[] {
  const start: TranscriptBody[] = [
    { kind: "message", role: "user", text: planted ?? "Write a report about orders.csv." },
    { kind: "thinking", text: planted ?? "I should look at the file first." },
    variant === "with_skill"
      ? { kind: "skill-activated", skill: planted ?? "csv-report", by: "tool" }
      : { kind: "thinking", text: "No skill fits." },
    {
      kind: "tool-call",
      callId: "a",
      tool: planted ?? "Read",
      input: { file_path: planted ?? "orders.csv" },
    },
    {
      kind: "tool-result",
      callId: "a",
      tool: "Read",
      output: planted ?? "id,price\n1,\n2,3\n",
      isError: false,
      denied: false,
    },
    { kind: "usage", usage: USED },
    {
      kind: "message",
      role: "assistant",
      text: planted ?? "There are 6 rows.\nTwo prices are missing: rows 2 and 5.",
    },
    {
      kind: "tool-call",
      callId: "b",
      tool: "Bash",
      input: { command: planted ?? "python3 report.py orders.csv > out/report.md" },
    },
    {
      kind: "tool-result",
      callId: "b",
      tool: "Bash",
      output: planted ?? "python3: not found",
      isError: true,
      denied: false,
    },
    { kind: "usage", usage: USED },
    { kind: "error", message: planted ?? "The model service answered 529; asked again." },
    { kind: "message", role: "assistant", text: planted ?? "Done. The report is in `out/report.md`." },
  ];
  for (let at = start.length; at < steps; at++)
    start.push(
      at % 3 === 0
        ? {
            kind: "tool-call",
            callId: `s${at}`,
            tool: "Bash",
            input: { command: `sed -n ${at}p orders.csv` },
          }
        : at % 3 === 1
          ? {
              kind: "tool-result",
              callId: `s${at - 1}`,
              tool: "Bash",
              output: `row ${at}\n${"x".repeat(at % 300)}`,
              isError: false,
              denied: false,
            }
          : { kind: "message", role: "assistant", text: `Step ${at}: the row is fine.` },
    );
  return start.slice(0, steps);
}

function letterOf(body: TranscriptBody): string {
  switch (body.kind) {
    case "message":
      return body.role === "user" ? "u" : "a";
    case "thinking":
      return "t";
    case "tool-call":
      return "c";
    case "tool-result":
      return body.isError || body.denied ? "x" : "r";
    case "skill-activated":
      return "s";
    case "error":
      return "e";
    case "usage":
      return "g";
  }
}

function runPage(of: GridCase, variant: Variant, { run, options }: Which): RunPage {
  const words = options.planted?.text;
  const at = { ...AT, trial: run.trial };
  const path = options.planted?.path ?? "out/report.md";
  return {
    at,
    trial: { id: run.trial, key: "k", caseId: of.caseId, variant, repetition: run.repetition },
    caseName: of.name,
    run: madeRun(run, words),
    attempts: 1,
    grading: {
      trialId: run.trial,
      verdicts: of.checks.map((check, which) =>
        verdict({ run, checkId: check.id, text: check.text, which, path, words }),
      ),
      claims: [],
      evalFeedback: null,
      judgeModel: "gpt-5.4",
      startedAt: "2026-11-15T09:31:00.000Z",
      durationMs: 900,
      usage: USED,
    },
    checks: [] satisfies readonly Check[],
    bounds: [],
    prompt: words ?? "Write a report about orders.csv.",
    expected: words ?? "A short report that names what is missing.",
    answer: {
      text:
        words ??
        "There are 6 rows.\nTwo prices are missing: rows 2 and 5.\n\nThe report is in `out/report.md`.",
      cut: 0,
    },
    files: [
      { area: "outputs", path, bytes: 412, shows: "markdown", change: "created", kept: true },
      { area: "outputs", path: "summary.csv", bytes: 31, shows: "table", change: "created", kept: true },
      { area: "inputs", path: "report.py", bytes: 180, shows: "code", change: null, kept: true },
      { area: "outputs", path: "page.html", bytes: 90, shows: "html", change: "created", kept: false },
    ],
    siblings: [1, 2, 3].map((repetition) => run.trial.replace(/\d+$/, String(repetition))),
    skill: {
      offered: variant === "with_skill",
      activations: variant === "with_skill" ? [{ skill: words ?? AT.skill, by: "tool", event: 2 }] : [],
      files: variant === "with_skill" ? [{ path: words ?? "SKILL.md", events: [2] }] : [],
    },
    rerun: "assay run skills/csv-report --case eval-0",
    asPrompt: words ?? 'The check "names the two missing values" fails. Find out why.',
    feedbackId: run.trial.replaceAll("/", "-"),
    before: null,
  };
}

function madeRun(run: GridRun, words: string | undefined): Run {
  return {
    ...NOTHING_DONE,
    trialId: run.trial,
    outcome: { status: "completed" },
    validity: { status: "verified" },
    startedAt: "2026-11-15T09:30:00.000Z",
    durationMs: (run.seconds ?? 0) * 1000,
    client: { name: "claude", version: "2.1.197" },
    model: "sonnet-4-6",
    steps: 3,
    usage: USED,
    toolCalls: { Read: 1, Bash: 1 },
    toolErrors: 1,
    notes: [words ?? "One tool call failed."],
    conditions: { sandbox: "bwrap", staging: "copy", loadAverage: 1, freeMemoryBytes: 1e9 },
  };
}

interface VerdictParts {
  readonly run: GridRun;
  readonly checkId: string;
  readonly text: string;
  readonly which: number;
  readonly path: string;
  readonly words: string | undefined;
}

function verdict({ run, checkId, text, which, path, words }: VerdictParts): Verdict {
  const letter = run.verdicts[which];
  const head = {
    trialId: run.trial,
    checkId,
    text,
    layer: which < 2 ? "L3" : "L1",
    score: null,
    entry: null,
  } as const;
  if (letter === "u" || letter === "-")
    return { ...head, status: "unscored", evidence: [], reason: words ?? "The judge refused to answer." };
  const sources = [
    { kind: "event", index: 6 },
    { kind: "output", line: 1 },
    { kind: "file", path, line: 3 },
  ] as const;
  const quotes = [
    "Two prices are missing: rows 2 and 5.",
    "There are 6 rows.",
    "Six rows, two missing values.",
  ];
  const source = sources[which];
  return {
    ...head,
    status: letter === "p" ? "passed" : "failed",
    reason: words ?? (letter === "p" ? "The answer says so." : "The answer names only one of them."),
    evidence:
      source === undefined
        ? [{ kind: "measure", text: words ?? "4 of 4 columns in order" }]
        : [
            { kind: "quote", text: words ?? quotes[which] ?? "", source },
            ...(which === 1
              ? [{ kind: "quote", text: "6 rows", source: { kind: "event", index: 6 } } as const]
              : []),
          ],
  };
}

function comparePage(options: MadeOptions): ComparePage {
  const side = (variant: Variant) => ({
    at: { ...AT, trial: trialId(0, variant, 1) },
    status: "completed" as const,
    verdicts: { c0: variant === "with_skill" ? "p" : "f", c1: "p", c2: "p", c3: "p" },
    steps: 12,
  });
  return {
    a: side("with_skill"),
    b: side("without_skill"),
    divergence: { a: 2, b: 2, words: options.planted?.text ?? "step 2 (csv-report activated ↔ thinking)" },
    spans: [
      { kind: "equal", a: [0, 2], b: [0, 2] },
      { kind: "changed", a: [2, 3], b: [2, 3] },
      { kind: "equal", a: [3, 12], b: [3, 12] },
    ],
    suppressed: 31,
    equal: 11,
  };
}

function feedbackPage(): FeedbackPage {
  return {
    at: AT,
    status: "in_progress",
    reviews: [],
    previous: [
      {
        runId: trialId(0, "with_skill", 1).replaceAll("/", "-"),
        feedback: "Shorter, please.",
        timestamp: null,
        checks: [],
      },
    ],
  };
}

function triggersPage({ planted }: MadeOptions): TriggersPage {
  const words = planted?.text;
  const asked = [
    { query: "Make a report of orders.csv", should: true, fired: 3, status: "passed" },
    { query: "Summarize this spreadsheet", should: true, fired: 1, status: "failed" },
    { query: "What is in data.csv?", should: true, fired: 2, status: "unsettled" },
    { query: "Convert this table to JSON", should: false, fired: 0, status: "passed" },
  ] as const;
  const rate = (passed: number, total: number) => ({
    passed,
    total,
    rate: passed / total,
    low: Math.max(0, passed / total - 0.3),
    high: Math.min(1, passed / total + 0.2),
  });
  return {
    at: AT,
    triggers: {
      skill: AT.skill,
      description: words ?? "Reports on CSV files.",
      threshold: 0.5,
      validity: { status: "valid" },
      canary: { status: "fired", runs: 1 },
      queries: asked.map(({ query, should, fired, status }, at) => ({
        caseId: `q${at}`,
        query: words ?? query,
        shouldTrigger: should,
        rival: null,
        fired: rate(fired, 3),
        repeated: { fired, runs: 3 },
        leftOut: {},
        others: at === 1 ? { [words ?? "spreadsheet-tools"]: 2 } : {},
        status,
        leaning: status === "failed" ? "failed" : "passed",
        moreRuns: null,
        reason: words ?? `Fired in ${fired} of 3 runs.`,
      })),
      precision: rate(2, 2),
      recall: rate(2, 3),
      accuracy: rate(3, 4),
      confusion: [
        { expected: AT.skill, fired: AT.skill, runs: 6 },
        { expected: AT.skill, fired: words ?? "spreadsheet-tools", runs: 2 },
        { expected: AT.skill, fired: null, runs: 1 },
        { expected: null, fired: null, runs: 3 },
      ],
      adaptive: null,
    },
    agreement: null,
    runs: Object.fromEntries(
      asked.map(({ fired }, at) => [
        `q${at}`,
        [1, 2, 3].map((run) => ({
          trial: `triggers/q${at}/run-${run}`,
          status: "completed" as const,
          fired: run <= fired ? [AT.skill] : at === 1 ? [words ?? "spreadsheet-tools"] : [],
        })),
      ]),
    ),
  };
}

function improvePage({ planted }: MadeOptions): ImprovePage {
  const words = planted?.text;
  const patch = `--- a/SKILL.md\n+++ b/SKILL.md\n@@ -3,3 +3,4 @@\n Read the file.\n-Say what is missing.\n+Name every missing value by its row.\n+${words ?? "Count the rows first."}\n`;
  const fresh = (liftOf: number, adopted: boolean) => ({
    against: "v0",
    adopted,
    verdict: adopted ? ("better" as const) : ("underpowered" as const),
    rates: { version: 0.62 + liftOf, against: 0.62 },
    lift: liftOf,
    interval: { low: liftOf - 0.17, high: liftOf + 0.15 },
    explanation:
      words ??
      (adopted
        ? "Better on these cases, with fresh runs."
        : "A difference worth having could have been missed."),
    iteration: adopted ? 7 : 6,
  });
  return {
    skill: AT.skill,
    startedAt: "2026-11-10T08:00:00.000Z",
    adopted: "v2",
    problems: [],
    versions: [
      {
        version: "v0",
        parent: null,
        result: "baseline",
        summary: null,
        diff: null,
        iteration: 4,
        fresh: null,
      },
      {
        version: "v1",
        parent: "v0",
        result: "lost",
        summary: words ?? "Asks for a table.",
        diff: patch,
        iteration: 5,
        fresh: null,
      },
      {
        version: "v2",
        parent: "v0",
        result: "won",
        summary: words ?? "Names rows.",
        diff: patch,
        iteration: 6,
        fresh: fresh(0.29, true),
      },
      {
        version: "v3",
        parent: "v2",
        result: "tie",
        summary: words ?? "Shorter.",
        diff: patch,
        iteration: 7,
        fresh: fresh(0.05, false),
      },
    ],
  };
}
