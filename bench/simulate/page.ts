import { CASES, type Cell, falseAlarms, judged, looks, power, type Row, unequalRuns } from "./tables.ts";

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
  const looked = part("looks", () => looks(Math.ceil(trials / 5)));
  const votes = part("judges", () => judged(Math.ceil(trials / 2)));
  const equal = votes.filter((row) => row.ahead === 0);
  const held = [...gates, ...unequal.slice(0, 1), ...equal].flatMap((row) => row.cells);
  const missed = held.filter((cell) => cell.share > 0.05 + 4 * errorOf(cell));
  const above = held.filter((cell) => cell.share > 0.05 + 2 * errorOf(cell));
  const page = [
    "# Verdicts: what the simulations say",
    "",
    `Made by \`npm run simulate\` (${trials.toLocaleString("en-US")} trials per cell and world, seeded); do not edit. The code is in \`bench/simulate/\`, the tests in \`src/stats/\`,`,
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
    "Three judges per pair, each in both orders. Equal versions / the second two standard deviations ahead.",
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
  ].join("\n");
  return { page, missed };
}

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
