import type { ServiceLimit } from "../../domain/event.ts";
import { count, plural } from "./format.ts";

/** Of votes and verdicts that both chose a side, how many chose the same. */
interface Agreed {
  readonly agreed: number;
  readonly compared: number;
}

/** What the screens beyond iteration and run say. */
export const SCREEN_TEXTS = {
  compare: {
    title: "Compare",
    choose: "Open a run and press c to compare it.",
    same: "Both runs did the same.",
    steps: "Steps, side by side",
    differs: "differs",
    nothing: "no such step",
    divergence: (words: string) => `First divergence: ${words}`,
    counts: (equal: number, suppressed: number) =>
      `${plural(equal, "equal step")} · ${plural(suppressed, "id or time", "ids and times")} taken as equal`,
    side: (skill: string, n: number) => `${skill} #${n}`,
    equalSteps: (steps: number) => plural(steps, "equal step"),
  },
  blind: {
    title: "Which answer is better?",
    left: "Left is better",
    right: "Right is better",
    tie: "Equal",
    nothing: "There are no two finished runs of the same case to compare.",
    noAnswer: "(no answer)",
    copy: "Copy votes",
    progress: (votes: number, pairs: number) => `${votes} of ${plural(pairs, "pair")}`,
    agreement: (judge: Agreed, checks: Agreed) => {
      const told = [
        judge.compared === 0 ? null : `the judge on ${judge.agreed} of ${judge.compared}`,
        checks.compared === 0 ? null : `all checks on ${checks.agreed} of ${checks.compared}`,
      ].filter((one) => one !== null);
      return told.length === 0
        ? "vote to see how you agree with the judge"
        : `you agree with ${told.join(", ")}`;
    },
    wins: (wins: number, losses: number, ties: number) =>
      `skill preferred ${wins}, not ${losses}, equal ${ties}`,
    given: (choice: string, left: string) => `${choice}. Left was ${left}.`,
  },
  triggers: {
    none: "No trigger query was asked in this iteration.",
    fires: "fires",
    silent: "stays silent",
    noSkill: "no skill",
    confusion: "Which skill fired",
    shouldFire: "Should fire",
    columns: {
      query: "Query",
      expected: "Expected",
      rate: "Fired (95 %)",
      instead: "Others that fired",
      runs: "Runs",
    },
    title: (skill: string) => `Triggers of ${skill}`,
    queries: (amount: number) => plural(amount, "query", "queries"),
    summary: (accuracy: string, precision: string, recall: string) =>
      `Right on ${accuracy} of queries. Precision ${precision}, recall ${recall}.`,
    threshold: (share: string) => `A query counts as firing if at least ${share} of its runs fire.`,
    edit: "Edit",
    add: "Add a query",
    remove: "Remove",
    save: "Save to the file",
    saved: "Saved. The next run asks these queries.",
    unsaved: "not saved yet",
    set: "Trigger set",
    setFacts: (file: string, queries: number, format: string) =>
      `${file}, ${plural(queries, "query", "queries")}, format ${format}`,
    runsOf: (expected: string, fired: string) => `Runs where ${fired} fired and ${expected} should have`,
    chooseCell: (runs: number) => `Show the transcripts of ${plural(runs, "run")}`,
    runWords: (fired: readonly string[]) =>
      fired.length === 0 ? "nothing fired" : `fired: ${fired.join(", ")}`,
  },
  improve: {
    adopted: "adopted",
    baseline: "The original.",
    notConfirmed: "Not confirmed with fresh runs.",
    noDiff: "The texts of this version were not kept.",
    results: { baseline: "baseline", won: "won", lost: "lost", tie: "no difference" },
    title: (skill: string) => `Versions of ${skill}`,
    facts: (at: string, adopted: string) => `since ${at} · ${adopted} is installed`,
    versions: (amount: number) => plural(amount, "version"),
    diff: (version: string, parent: string | null) => (parent === null ? version : `${parent} → ${version}`),
    rates: (before: string, after: string, against: string) =>
      `${before} → ${after} against ${against}, fresh runs`,
  },
  skill: {
    notKept: "The skill's text was not kept with these results.",
    legend: "runs in which words of the line came back",
    meaning:
      "A line counts as used in a run when its commands, names or four words in a row come back in what the agent did or said, and were not in the prompt. A line without a trace may still have been followed.",
    title: (skill: string) => `How ${skill} was used`,
    facts: (runs: number, listed: number | null, loaded: number) =>
      [
        `${plural(runs, "run")} with the skill`,
        listed === null ? null : `listed in ${count(listed)}`,
        `taken up in ${count(loaded)}`,
      ]
        .filter(Boolean)
        .join(" · "),
    summary: (used: number, telling: number) =>
      telling === 0
        ? "No line of SKILL.md has words that could be found again."
        : `${count(used)} of ${plural(telling, "line")} of SKILL.md left a trace in at least one run.`,
    skipped: (runs: number) =>
      runs === 1
        ? "1 run not searched: its transcript is very large."
        : `${count(runs)} runs not searched: their transcripts are very large.`,
    files: (amount: number) => `References and scripts (${count(amount)})`,
    filesLegend: "runs in which tool calls name them",
    words: (words: readonly string[]) => `Came back: ${words.join(" · ")}`,
  },
  live: {
    notHere: "A saved report does not follow a run.",
    none: "There is no such iteration. Press Esc for the overview.",
    progress: "Runs that have ended",
    ended: "Ended",
    notes: "Notes",
    nothingRuns: "Nothing is running now.",
    results: "See the results",
    disconnected: "connection lost, trying again",
    call: "Control",
    state: "State",
    states: { running: "running", paused: "paused", stopping: "stopping" },
    tell: { pause: "Pause", resume: "Resume", stop: "Stop" },
    stopping: "No new run starts; those under way finish.",
    atOnce: "Runs at once",
    cost: "Cost",
    tokens: "Tokens",
    ofBudget: (spent: string, most: string | null) =>
      most === null ? `${spent}, no limit` : `${spent} of ${most}`,
    service: ({ limit, waiting, pausedMs, limited }: ServiceLimit) =>
      [
        `${plural(limit, "request")} at once`,
        waiting === 0 ? null : `${count(waiting)} waiting`,
        limited === 0 ? null : `refused ${plural(limited, "time")}`,
        pausedMs === 0 ? null : `next try in ${Math.ceil(pausedMs / 1000)} s`,
      ]
        .filter(Boolean)
        .join(", "),
    running: (amount: number) => `Running (${amount})`,
    counts: (finished: number, planned: number, graded: number, leftOut: number) =>
      `${finished} of ${plural(planned, "run")} ended, ${graded} graded, ${leftOut} left out`,
    spent: (cost: string, tokens: string) => `${cost} spent, ${tokens} tokens out`,
  },
} as const;
