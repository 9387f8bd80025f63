import { type CorpusRow, decidedOnCorpus } from "./corpus.ts";
import { rateCoverage, type RateRow } from "./rates.ts";
import {
  adopted,
  CASES,
  type Cell,
  describedBetter,
  type DescriptionRow,
  falseAlarms,
  judged,
  looks,
  power,
  QUERIES,
  type Row,
  unequalRuns,
} from "./tables.ts";

export interface Simulated {
  /** Markdown. */
  readonly page: string;
  /** Cells whose false alarms are beyond 5 % by more than chance over so many cells explains. */
  readonly missed: readonly Cell[];
}

export function simulate(trials: number, progress: (text: string) => void): Simulated {
  const part = <T>(name: string, make: () => T): T => {
    const from = performance.now();
    const made = make();
    progress(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
    return made;
  };
  const gates = part("gates", () => falseAlarms(trials));
  const unequal = part("unequal runs", () => unequalRuns(trials));
  const powers = part("power and coverage", () => power(trials));
  const rates = part("rates", () => rateCoverage(trials));
  const corpus = part("corpus", () => decidedOnCorpus(Math.ceil(trials / 25)));
  const looked = part("looks", () => looks(Math.ceil(trials / 5)));
  const votes = part("judges", () => judged(Math.ceil(trials / 2)));
  const descriptions = part("description", () => describedBetter(trials));
  const loops = part("improve", () => adopted(Math.ceil(trials / 2)));
  const equal = votes.filter((row) => row.ahead === 0);
  const ours = equal.filter(({ name }) => !name.startsWith("before"));
  const held = [...gates, ...unequal.slice(0, 1), ...ours].flatMap((row) => row.cells);
  const missed = held.filter((cell) => cell.share > 0.05 + 4 * errorOf(cell));
  const above = held.filter((cell) => cell.share > 0.05 + 2 * errorOf(cell));
  const page = [
    "# Verdicts: what the simulations say",
    "",
    `Made by \`npm run simulate\` (${trials.toLocaleString("en-US")} trials per cell and world, seeded), down to the last section; do not edit. The code is in \`bench/simulate/\`, the tests in \`src/stats/\`,`,
    "their golden values in `src/stats/fixtures/verdicts.py`.",
    "",
    "**On these cases**: the arm labels of runs are dealt anew within each case; interval by MOVER over Wilson's bounds per case and",
    "arm, zero inside exactly when p > 0.05. **On other cases like these**: sign-flip test over cases, with its interval. Five worlds: cases of",
    "mixed difficulty; the same with checks of a run correlated (0.4); saturated; U-shaped; tied (four of five cases never vary).",
    "",
    "## False alarms when nothing changed, in %",
    "",
    `The worst of the five worlds. A true 5 % comes out with a standard error of ${(100 * errorOf({ trials })).toFixed(1)}. The worst of five is picked, so cells lean high:`,
    `${above.length} of ${held.length} cells of this page's gates are above 5 % by more than two standard errors, ${missed.length} by more than four.`,
    `Were every cell at 5 %, about ${Math.round(0.0228 * held.length)} of ${held.length} would be by chance.`,
    "",
    ...caseTable(gates),
    "",
    "Triggers that settle: queries that fire at 0.9 (should) and 0.05 (should not), threshold 0.5, repeated while unsettled up to nine runs.",
    "",
    "## Ten runs against one, nothing changed, every check passes at 0.9",
    "",
    ...caseTable(unequal),
    "",
    "## Power and coverage, three runs per arm",
    "",
    "Lifts differ by up to 0.2 from case to case. *Decides* and *width* are means over worlds, *covers* is the worst world. Each cell: on these",
    "cases / on other cases.",
    "",
    "| lift | cases | decides, % | covers, % | width |",
    "|---|---|---|---|---|",
    ...powers.map(
      ({ lift, cases, these, other }) =>
        `| ${lift} | ${cases} | ${whole(these.decides)} / ${whole(other.decides)} | ${percent(these.covers)} / ${percent(other.covers)} | ${these.width.toFixed(2)} / ${other.width.toFixed(2)} |`,
    ),
    "",
    ...rateSection(rates),
    ...corpusSection(corpus),
    "## Looks after 2, 4, 6 and 8 runs",
    "",
    "Each look may use an equal share of what is left of 5 %. Given up: a lift of 0.2 is ruled out, or little chance",
    "is left to see one.",
    "",
    "| lift | cases | found, % | given up, % | runs per arm |",
    "|---|---|---|---|---|",
    ...looked.map(
      ({ lift, cases, decided, futile, runs }) =>
        `| ${lift} | ${cases} | ${percent(decided)} | ${whole(futile)} | ${runs.toFixed(1)} |`,
    ),
    "",
    "## Blind judges: a winner is named, in %",
    "",
    "Three judges per pair, each in both orders. Equal versions / the second two standard deviations ahead. `compare` decides by *one voice per",
    "pair* for these cases and by *one voice per case* for others; before, every judge of every pair was a coin of its own. *3 outputs a side, within",
    "cases* has every two outputs of a case judged: five times the questions, which pays at two or three cases.",
    "",
    "| | 2 | 3 | 5 | 8 | 12 | 20 |",
    "|---|---|---|---|---|---|---|",
    ...equal.map((row) => {
      const ahead = votes.find((other) => other.ahead > 0 && other.name === row.name);
      const cells = row.cells.map(
        (cell, at) => `${percent(cell.share)} / ${whole(ahead?.cells[at]?.share ?? 0)}`,
      );
      return `| ${row.name} | ${[...cells, ...Array.from({ length: 6 - cells.length }, () => "")].join(" | ")} |`;
    }),
    "",
    "With three runs of two cases there are six voices, and of the 64 ways in which equal versions could have turned them only the two that are",
    "unanimous are rare enough (2 / 64; one dissent makes 4 / 64 at least). No exact test on six voices finds more than the unanimous, so that the power",
    "at two cases is how often all six agree. Judging within sides as well finds more at five times the questions; more runs find as much",
    "for two thirds more of both. `compare` therefore runs versions five times where there are two cases, four times where there are three, and six times",
    "where there is one, unless `--runs` says otherwise.",
    "",
    ...descriptionSection(descriptions),
    "## Improve: a draft is adopted, in %",
    "",
    "Up to five drafts, three runs each on two thirds of the cases, then five fresh runs of the best and of v0 on all. Drafts change nothing, harm",
    "or help by 30 points. The worst world; of drafts that help, the mean. Before, three judges of one taste compared first runs, and held-out",
    "cases had to pass no less.",
    "",
    ...caseTable(
      loops.flatMap(({ effect, before, now }) =>
        [before, now].map((row) => ({ ...row, name: `${EFFECTS[String(effect)]}, ${row.name}` })),
      ),
    ),
    "",
  ].join("\n");
  return { page, missed };
}

export function rateSection(rows: readonly RateRow[]): string[] {
  return [
    "## The interval of one arm's pass rate covers, in %",
    "",
    "Three runs of each case; the worst of the five worlds; 95 % are promised.",
    "",
    `| cases | ${CASES.join(" | ")} |`,
    `|---|${CASES.map(() => "---").join("|")}|`,
    ...rows.map(({ name, covers }) => `| ${name} | ${covers.map(percent).join(" | ")} |`),
    "",
  ];
}

export function corpusSection(rows: readonly CorpusRow[]): string[] {
  return [
    "## What the public eval files would get, in %",
    "",
    "156 files with their own numbers of cases (median 4, two of three at most five; `bench/simulate/corpus.ts`), three runs per arm, mean over",
    "worlds: how many benchmarks end in better or worse. Before: only the sign-flip test over cases. After: on these cases.",
    "",
    `| lift | ${rows.map(({ lift }) => lift).join(" | ")} |`,
    `|---|${rows.map(() => "---").join("|")}|`,
    `| before | ${rows.map(({ before }) => whole(before)).join(" | ")} |`,
    `| after | ${rows.map(({ after }) => whole(after)).join(" | ")} |`,
    "",
  ];
}
function descriptionSection(rows: readonly DescriptionRow[]): string[] {
  return [
    "## Improve the description: a draft is confirmed, in %",
    "",
    "Five drafts of three runs, chosen by three tenths of the queries and compared on another three tenths. By how often a query that should fire does, with",
    "the original and with the drafts.",
    "",
    `| queries | ${QUERIES.join(" | ")} |`,
    `|---|${QUERIES.map(() => "---").join("|")}|`,
    ...rows.map(({ name, shares }) => `| ${name} | ${shares.map(percent).join(" | ")} |`),
    "",
  ];
}

const EFFECTS: Readonly<Record<string, string>> = { "0": "change nothing", "-0.3": "harm", "0.3": "help" };

function caseTable(rows: readonly Row[]): string[] {
  return [
    `| cases | ${CASES.join(" | ")} |`,
    `|---|${CASES.map(() => "---").join("|")}|`,
    ...rows.map((row) => `| ${row.name} | ${row.cells.map((cell) => percent(cell.share)).join(" | ")} |`),
  ];
}

function errorOf({ trials }: Pick<Cell, "trials">): number {
  return Math.sqrt((0.05 * 0.95) / trials);
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function whole(share: number): string {
  return (100 * share).toFixed(0);
}
