import type { Verdict } from "../domain/verdict.ts";
import { groupBy } from "../lib/group-by.ts";
import { isHeld } from "./held.ts";
import type { PageLine } from "./page.ts";
import type { IterationReport } from "./reporter.ts";
import { checkText, verdictText } from "./text.ts";

/**
 * The first things a reader wants: what failed, in which run, and the evidence; then what could not be decided. What many
 * checks or runs have in common is said once. Queries are not in it: they are judged over their runs.
 */
export function failureLines(report: IterationReport, most: number): PageLine[] {
  const causes = causesOf(report);
  const shown = causes.slice(0, most);
  const lines: PageLine[] = [];
  let last = "";
  for (const cause of shown) {
    const place = placeText(cause, report);
    if (place !== last) lines.push(`  ${place}`);
    last = place;
    lines.push(causeLine(cause));
  }
  const hidden = causes.slice(most).reduce((sum, cause) => sum + cause.length, 0);
  if (hidden > 0) lines.push(`    and ${hidden} more; assay show --failed has all of them`);
  return lines;
}

/** A verdict that is not a pass, on a check of a case. */
interface Open {
  readonly caseId: string;
  readonly verdict: Verdict;
}

/** Verdicts with the same status for the same reason. */
type Cause = readonly Open[];

/** Failed before unscored, each in the order of the cases. */
function causesOf(report: IterationReport): Cause[] {
  const groups = groupBy(openOf(report), ({ verdict }) => `${verdict.status}\n${whyText(verdict)}`);
  return [...groups.values()].flatMap(apart).toSorted((a, b) => rank(a) - rank(b));
}

/** Checks are named one by one, each with all of its runs, unless it was not them that decided. */
function apart(alike: readonly Open[]): readonly Cause[] {
  const byCheck = groupBy(alike, checkKey);
  const isOne = byCheck.size >= MANY_CHECKS && alike.every(({ verdict }) => isFromOutside(verdict));
  return isOne ? [alike] : [...byCheck.values()];
}

const MANY_CHECKS = 3;

function isFromOutside({ status, evidence }: Verdict): boolean {
  return status === "unscored" || evidence.every(({ kind }) => kind === "outcome");
}

function rank([first]: Cause): number {
  return first?.verdict.status === "failed" ? 0 : 1;
}

function openOf({ evaluated, summary }: IterationReport): Open[] {
  return summary.cases
    .filter((one) => one.kind === "task" && isHeld(one.variant, evaluated.iteration))
    .flatMap(({ caseId, trials }) =>
      trials.flatMap(({ trialId }) =>
        (evaluated.gradings.get(trialId)?.verdicts ?? [])
          .filter((verdict) => verdict.status !== "passed")
          .map((verdict) => ({ caseId, verdict })),
      ),
    );
}

function checkKey({ caseId, verdict }: Open): string {
  return `${caseId}\n${verdict.checkId}`;
}

function placeText(cause: Cause, { runFolders }: IterationReport): string {
  const [first = "", ...others] = new Set(cause.map(({ verdict }) => verdict.trialId));
  const folder = runFolders.get(first) ?? first;
  if (others.length === 0) return folder;
  return `${folder} and ${others.length} more ${others.length === 1 ? "run" : "runs"}`;
}

function causeLine(cause: Cause): PageLine {
  const [first] = cause;
  if (first === undefined) return "";
  const { verdict } = first;
  const checks = new Set(cause.map(checkKey)).size;
  const what = checks === 1 ? checkText(verdict).slice(0, 160) : `${checks} checks`;
  const why = whyText(verdict).slice(0, 300);
  const mark = verdict.status === "failed" ? "failed" : "open";
  return { mark, text: `    ${what}${why === "" ? "" : `: ${why}`}` };
}

function whyText(verdict: Verdict): string {
  return verdictText(verdict).replaceAll("\n", " ");
}
