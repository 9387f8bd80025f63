import type { CaseComparison } from "../domain/benchmark.ts";
import type { CaseSummary, TrialSummary } from "../domain/summary.ts";
import { groupBy } from "../lib/group-by.ts";
import { painter } from "../lib/paint.ts";
import { printable } from "../lib/printable.ts";
import { clip, padTo, textWidth } from "../lib/text-width.ts";
import { mean } from "../stats/descriptive.ts";
import { points } from "../stats/words.ts";
import { isHeld } from "./held.ts";
import { COLORS, type Look, type Mark, signOf } from "./page.ts";
import type { IterationReport } from "./reporter.ts";
import { money, percent, secondsText } from "./text.ts";

/** Cases that passed are counted instead of listed from so many rows on. */
const MOST_ROWS = 20;

/** A row for each task case: how many of its runs passed, what they took; with two arms, how they compare. */
export function caseTable(report: IterationReport, look: Look): string {
  const rows = rowsOf(report);
  if (rows.length === 0) return "";
  const isLong = rows.length > MOST_ROWS;
  const open = rows.filter(({ mark }) => mark !== "passed");
  const shown = isLong
    ? [...open, ...rows.filter(({ mark }) => mark === "passed")].slice(0, Math.max(MOST_ROWS, 0))
    : rows;
  const hidden = rows.length - shown.length;
  const passed =
    rows.filter(({ mark }) => mark === "passed").length -
    shown.filter(({ mark }) => mark === "passed").length;
  const rest = isCompared(report) ? comparedRest(hidden, passed) : passedRest(hidden, passed);
  return `${tableText(headOf(report), shown, look)}${hidden === 0 ? "" : `  … and ${rest}\n`}`;
}

function passedRest(hidden: number, passed: number): string {
  return passed === hidden ? `${hidden} more passed` : `${hidden} more, ${passed} of them passed`;
}

/** A case that is no lower than the baseline need not pass. */
function comparedRest(hidden: number, notLower: number): string {
  return notLower === hidden
    ? `${hidden} more, none of them lower`
    : `${hidden} more, ${hidden - notLower} of them lower or not compared`;
}

interface Row {
  readonly mark: Mark;
  readonly name: string;
  readonly cells: readonly string[];
}

function headOf({ summary: { benchmark } }: IterationReport): readonly string[] {
  const [compared] = benchmark?.comparisons ?? [];
  const measures = ["time/run", "cost/run"];
  if (compared === undefined) return ["passed", "", "checks", ...measures];
  return [armWord(compared.baseline), armWord(compared.treatment), "points", ...measures];
}

const ARM_WORDS: Readonly<Record<string, string>> = {
  with_skill: "with",
  without_skill: "without",
  old_skill: "old",
  new_skill: "new",
};

function armWord(arm: string): string {
  return ARM_WORDS[arm] ?? arm;
}

function rowsOf(report: IterationReport): readonly Row[] {
  const { summary, evaluated } = report;
  const tasks = summary.cases.filter(({ kind }) => kind === "task");
  if (summary.benchmark !== null && isCompared(report)) {
    const byCase = groupBy(tasks, ({ caseId }) => caseId);
    return summary.benchmark.cases.map((one) =>
      comparedRow(one, { tasks: byCase.get(one.caseId) ?? [], report }),
    );
  }
  return tasks
    .filter(({ variant }) => isHeld(variant, evaluated.iteration))
    .map((one) => caseRow(one, report));
}

function isCompared({ summary }: IterationReport): boolean {
  return (summary.benchmark?.comparisons.length ?? 0) > 0;
}

function caseRow(one: CaseSummary, report: IterationReport): Row {
  const held = one.trials.filter(({ meetsGate }) => meetsGate !== null);
  const met = held.filter(({ meetsGate }) => meetsGate === true);
  const isFlaky = met.length > 0 && met.length < held.length;
  const runs = held.length === 0 ? "-" : `${met.length}/${held.length}`;
  const { passed, total } = one.checks;
  return {
    mark: markOf(one, report),
    name: labelOf(one),
    cells: [
      runs,
      isFlaky ? "flaky" : "",
      total === 0 ? "-" : `${passed}/${total}`,
      ...took(one.trials, report),
    ],
  };
}

/** As the gate says, which may ask for less than every run. */
function markOf({ caseId, trials }: CaseSummary, { summary }: IterationReport): Mark {
  const gate = summary.gates.find((one) => one.caseId === caseId);
  if (gate?.met === false) return "failed";
  const isOpen = trials.some(({ meetsGate, unscored }) => meetsGate === null || unscored > 0);
  return gate === undefined || isOpen ? "open" : "passed";
}

function comparedRow(
  one: CaseComparison,
  { tasks, report }: { tasks: readonly CaseSummary[]; report: IterationReport },
): Row {
  const { baseline, treatment, difference } = one;
  const rate = (value: number | null) => (value === null ? "-" : percent(value));
  const trials = tasks.flatMap((task) => task.trials);
  // Halves of one arm differ by chance, whichever is lower.
  const isLower = difference !== null && difference < 0 && report.summary.benchmark?.noise === null;
  return {
    mark: difference === null ? "open" : isLower ? "failed" : "passed",
    name: labelOf(one),
    cells: [
      rate(baseline.passRate),
      rate(treatment.passRate),
      difference === null ? "-" : points(difference),
      ...took(trials, report),
    ],
  };
}

/** Means over the runs that say. */
function took(trials: readonly TrialSummary[], { evaluated }: IterationReport): readonly string[] {
  const times = trials.flatMap(({ durationMs }) => durationMs ?? []);
  const costs = trials.flatMap(({ trialId }) => evaluated.runs.get(trialId)?.run.usage.costUsd ?? []);
  const [time, cost] = [mean(times), mean(costs)];
  return [time === null ? "-" : secondsText(time), cost === null ? "-" : money(cost)];
}

function labelOf({ caseId, name }: { readonly caseId: string; readonly name: string | null }): string {
  return printable((name === null || name === caseId ? caseId : `${caseId} ${name}`).replaceAll(/\s+/g, " "));
}

const LEAST_NAME = 12;

function tableText(head: readonly string[], rows: readonly Row[], look: Look): string {
  // A measure that no row knows says nothing.
  const columns = head.flatMap((title, at) =>
    rows.every(({ cells }) => cells[at] === "-" || cells[at] === "")
      ? []
      : [
          {
            title,
            at,
            width: Math.max(textWidth(title), ...rows.map(({ cells }) => textWidth(cells[at] ?? ""))),
          },
        ],
  );
  const rest = columns.reduce((sum, { width }) => sum + width + 2, 0);
  const room =
    look.columns === null ? Number.POSITIVE_INFINITY : Math.max(LEAST_NAME, look.columns - 5 - rest);
  const width = Math.min(room, Math.max(textWidth("case"), ...rows.map(({ name }) => textWidth(name))));
  const paint = painter(look.color);
  const line = (sign: string, name: string, cell: (at: number, title: string) => string) =>
    `  ${sign} ${padTo(clip(name, width), width)}${columns.map(({ at, title, width: most }) => `  ${padTo(cell(at, title), most, "right")}`).join("")}`.trimEnd();
  const first = line(" ", "case", (_at, title) => title);
  const others = rows.map(({ mark, name, cells }) => {
    const sign = signOf(mark, look);
    return line(sign === "" ? " " : paint(COLORS[mark], sign), name, (at) => cells[at] ?? "");
  });
  return `${[paint("dim", first), ...others].join("\n")}\n`;
}
