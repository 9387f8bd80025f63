import type { Bounds } from "../../domain/benchmark.ts";
import type { Rate } from "../../domain/summary.ts";
import { count, percent, plural, points } from "./format.ts";
import type { SavedState } from "./outbox.ts";
import type { MarkKind } from "./parts/mark.tsx";
import { SCREEN_TEXTS } from "./screen-texts.ts";
import {
  DECIDED_BY,
  FLIPS,
  MARK_WORDS,
  OTHER_ARM,
  PROGRESS,
  PURPOSES,
  REMARKS,
  SAVED,
  VARIANTS,
} from "./words.ts";

/** Every word that the app says by itself. What results say comes with them. */
export const TEXTS = {
  skip: "Skip to the page",
  help: "Help",
  report: "saved report",
  whereYouAre: "Where you are",
  thisPage: "This page",
  thisPart: "This part",
  noSuchPage: "No such page. Press Esc for the overview.",
  loading: "Loading…",
  close: "Close",
  copied: "Copied",
  tryAgain: "Try again",
  failuresOnly: "Failures only",
  nothingFound: "Nothing matches. Clear the search or the filter.",
  noEvidence: "No verdict here: the check was not scored.",
  flaky: "flaky",
  weak: "weak",
  absent: "This report does not include it.",
  absentHint: "Run assay view beside the results to see it.",
  noServer: "The server does not answer.",
  noServerHint: "Start assay view again, then reload this page.",
  saved: (saved: SavedState) =>
    saved.state === "failed"
      ? `Not saved yet: ${saved.why} It is kept in this browser and tried again.`
      : SAVED[saved.state],
  answered: (status: number) => `The server answered ${status}.`,
  brokenPanel: (of: string) => `${of} could not be shown`,
  more: (amount: number) => `and ${count(amount)} more`,
  cut: (characters: number) => `${count(characters)} more characters; download the file to read them`,
  marks: MARK_WORDS,
  variants: VARIANTS,
  decidedBy: DECIDED_BY,
  otherArm: OTHER_ARM,
  purposes: PURPOSES,
  progress: PROGRESS,
  flips: FLIPS,
  remarks: REMARKS,
  screens: {
    compare: "Compare",
    blind: "Blind review",
    triggers: "Triggers",
    improve: "Versions",
    live: "Live",
    skill: "Skill",
  },
  keysTitle: "Keys",
  keys: {
    help: "show or hide this list",
    back: "back",
    search: "search",
    down: "next",
    up: "previous",
    open: "open",
    openCase: "show the checks of the case",
    openRun: "open the run",
    failures: "failures only",
    compare: "compare with another iteration",
    compareRun: "compare with the run without the skill",
    blind: "blind review",
    previousRun: "previous repetition",
    nextRun: "next repetition",
    unfold: "unfold the step",
    nextHit: "next hit",
    nextDifference: "next difference",
    previousDifference: "previous difference",
  },
  span: (bounds: Bounds | null) =>
    bounds === null ? "" : `${Math.round(bounds.low * 100)} to ${Math.round(bounds.high * 100)}`,
  difference: (value: number, low: number | null, high: number | null) =>
    low === null || high === null
      ? `${points(value)} points, no interval`
      : `${points(value)} points, interval ${points(low)} to ${points(high)}`,
  rate: (value: number, low: number | null, high: number | null) =>
    low === null || high === null
      ? `${percent(value)}, no interval`
      : `${percent(value)}, 95 % interval ${percent(low)} to ${percent(high)}`,
  rateOf: ({ passed, total, rate, low, high }: Rate) =>
    rate === null ? "–" : `${percent(rate)} (${passed} of ${total}${between(low, high)})`,
  trend: (values: readonly (number | null)[]) =>
    `Pass rates, oldest first: ${values.map(percent).join(", ")}`,
  distribution: (label: string, runs: number, middle: string | null) =>
    `${label}: ${plural(runs, "run")}, median ${middle ?? "unknown"}`,
  absence: (places: readonly string[]) => `Not found in ${places.join(", ")}`,
  sources: {
    answer: "the answer",
    answerLine: (line: number) => `the answer, line ${line}`,
    step: (index: number) => `step ${index}`,
    steps: (first: number, last: number) => `steps ${first} to ${last}`,
    fileLine: (path: string, line: number) => `${path}, line ${line}`,
  },
  overview: {
    title: "Skills",
    search: "Search skills",
    sortBy: "Sort by",
    orders: { name: "name", worst: "worst first", lift: "least gain", newest: "newest", cost: "cost" },
    nothing: "No results here yet. Run assay bench or assay run, and reload.",
    noVerdict: "No verdict yet",
    omitted: (what: string, times: number) => `Not in this report: ${what} (${count(times)})`,
    iterations: (amount: number) => plural(amount, "iteration"),
    changed: (what: readonly string[]) => `${what.join(" and ")} changed`,
    columns: {
      skill: "Skill",
      verdict: "Verdict",
      pass: "Pass",
      lift: "Gain in points",
      trend: "Trend",
      loaded: "Loaded",
      cost: "Cost",
      runs: "Runs",
      agents: "Agents",
    },
  },
  iteration: {
    verdict: "Verdict",
    searchCases: "Search cases and checks",
    compareWith: "Compare with",
    caseList: "Cases",
    allCases: "All cases",
    forest: "Difference per case, in points",
    distributions: "Time, tokens and cost of runs",
    time: "Time",
    tokens: "Tokens",
    cost: "Cost",
    noFlips: "No check changed.",
    nothingLeftOut: "Every planned run is counted.",
    cases: (shown: number, all: number) =>
      shown === all ? plural(all, "case") : `${count(shown)} of ${plural(all, "case")}`,
    judge: (model: string) => `judge ${model}`,
    counted: (counted: number, planned: number) => `${count(counted)} of ${plural(planned, "run")} counted`,
    checks: (checks: number, flips: number, since: number | undefined) =>
      flips === 0
        ? plural(checks, "check")
        : `${plural(checks, "check")}, ${plural(flips, "change")} since #${since ?? ""}`,
    runWords: (repetition: number, mark: MarkKind, status: string) =>
      `Run ${repetition}: ${status === "completed" ? MARK_WORDS[mark] : status}`,
    checkWords: (repetition: number, mark: MarkKind) => `Run ${repetition}: ${MARK_WORDS[mark]}`,
    noSignal: (reason: string) => `No signal: ${reason}`,
    forestCut: (shown: number, all: number) =>
      `The ${shown / 2} lowest and ${shown / 2} highest of ${all} cases.`,
    since: (n: number) => `Since #${n}`,
    together: (difference: string, change: string) =>
      change === "same"
        ? "All shared checks together: no change."
        : `All shared checks together ${change}: ${difference} points.`,
    weak: (amount: number) => `Checks to look at (${amount})`,
    leftOut: (amount: number) => `Left out (${amount})`,
    notes: (amount: number) => `Notes (${amount})`,
  },
  search: {
    title: "Search all transcripts",
    words: "Text in any transcript",
    count: (hits: number, runs: number, done: boolean) =>
      `${done ? "" : "At least "}${plural(hits, "hit")} in ${plural(runs, "run")}`,
  },
  run: {
    copyCommand: "Copy command",
    copyPrompt: "Copy as prompt",
    compare: "Compare",
    raw: "Raw stream",
    answer: "Answer",
    asText: "plain",
    notGraded: "This run was not graded.",
    agree: "Agree",
    disagree: "Disagree",
    repetition: (repetition: number, all: number) => `run ${repetition} of ${all}`,
    failed: (failed: number, all: number) =>
      all === 0
        ? "not graded"
        : failed === 0
          ? `all ${plural(all, "check")} passed`
          : `${failed} of ${plural(all, "check")} failed`,
    tokens: (amount: string) => `${amount} tokens`,
    checks: (failed: number, all: number) =>
      failed === 0 ? `Checks (${all})` : `Checks (${failed} of ${all} failed)`,
    score: (score: number) => `score ${score.toFixed(2)}`,
    ended: (status: string, message: string | null) =>
      message === null ? `Ended: ${status}.` : `Ended: ${status}. ${message}`,
    validity: (reason: string) => `Not verified: ${reason}`,
  },
  timeline: {
    label: "Steps of the run",
    search: "Search",
    user: "user",
    denied: "denied",
    failed: "failed",
    error: "error",
    unreadable: "This line of the transcript cannot be read.",
    kinds: {
      message: "assistant",
      thinking: "thinking",
      "tool-call": "tool call",
      "tool-result": "result",
      "skill-activated": "skill",
      error: "error",
      usage: "usage",
    },
    groups: { messages: "messages", thinking: "thinking", tools: "tools", errors: "errors", usage: "usage" },
    title: "Timeline",
    facts: (events: number, size: string) => `${plural(events, "step")}, ${size}`,
    counting: "the beginning; the rest is being counted …",
    activated: (skill: string) => `${skill} activated`,
    usage: (input: string, output: string, cost: string) => `${input} tokens in, ${output} out, ${cost}`,
    tokens: (steps: number, most: string) => `Tokens of ${plural(steps, "response")}, at most ${most}`,
    tokensAt: (event: number, tokens: string) => `Step ${event}: ${tokens} tokens`,
    showAll: (size: string) => `Show the other ${size}`,
    cited: (verdicts: number) => `Cited by ${plural(verdicts, "check")}`,
    citedBy: (check: string) => `Cited by: ${check}`,
    hits: (hits: number, done: boolean) => `${done ? "" : "≥ "}${plural(hits, "hit")}`,
  },
  files: {
    none: "No files.",
    download: "Download",
    notKept: "A cap kept its content out of the results.",
    notHere: "This report does not include it.",
    onlyDownload: "It cannot be shown here; download it.",
    views: { diff: "diff", shown: "shown", text: "text", picture: "picture", pages: "pages" },
    changes: { created: "new", modified: "changed", deleted: "deleted", staged: "given" },
    title: (amount: number) => `Files (${amount})`,
  },
  lane: {
    title: "The skill in this run",
    listed: "Listed to the model",
    notListed: "Not listed to the model",
    unseen: "It is unknown whether it was listed",
    notActivated: "Not loaded",
    activated: (skill: string, by: string) => `${skill} loaded (${by})`,
  },
  feedback: {
    title: "Feedback",
    label: "What should be different?",
    previous: "Before:",
    before: (n: number) => `The answer in #${n}`,
    openBefore: "Open that run",
    complete: "Mark the review complete",
    download: "Download feedback.json",
    local: "kept in this browser",
    isComplete: "The review is complete",
  },
  about: {
    title: "About this run",
    time: "Time",
    cost: "Cost",
    input: "Input tokens",
    output: "Output tokens",
    cacheRead: "Read from cache",
    cacheWrite: "Written to cache",
    judge: "Judged by",
    byCode: "code only",
    judgeCost: "Cost of judging",
    steps: "Model responses",
    tools: "Tools",
    toolErrors: "Failed tool calls",
    sandbox: "Sandbox",
    attempts: "Attempts",
    session: "Session",
    reused: "Reused from",
    expected: "Expected",
  },
  ...SCREEN_TEXTS,
} as const;

function between(low: number | null, high: number | null): string {
  return low === null || high === null ? "" : `, ${Math.round(low * 100)} to ${percent(high)}`;
}
