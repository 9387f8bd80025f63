import { cohenKappa } from "../stats/agreement.ts";
import { type Interval, wilson } from "../stats/intervals.ts";
import type { Verdict } from "../domain/verdict.ts";

/** What a person says of one output. */
export interface Label {
  /** Names the output or run, as `JudgedVerdict` does. */
  readonly subject: string;
  /** The id or the text of a criterion; null: the run as a whole. */
  readonly criterion: string | null;
  readonly passed: boolean;
}

export interface JudgedVerdict {
  readonly subject: string;
  readonly verdict: Pick<Verdict, "checkId" | "text" | "status">;
}

/** How a judge compares with people. */
export interface Calibration extends Comparison {
  /** One for each criterion that has labels, in their order; the run as a whole is null. */
  readonly criteria: readonly (Comparison & { readonly criterion: string | null })[];
}

export interface Comparison {
  readonly labels: number;
  /** Labels that a scored verdict stands against. */
  readonly compared: number;
  /** The judge came to no verdict. */
  readonly unscored: number;
  /** The judge was never asked, or the label names nothing there is. */
  readonly unmatched: number;
  readonly accuracy: number | null;
  readonly interval: Interval | null;
  /** Null where chance alone would explain every agreement. */
  readonly kappa: number | null;
  readonly confusion: {
    readonly bothPassed: number;
    /** The judge passed what a person failed: the costly mistake. */
    readonly onlyJudgePassed: number;
    readonly onlyPersonPassed: number;
    readonly bothFailed: number;
  };
}

export function calibrate(labels: readonly Label[], verdicts: readonly JudgedVerdict[]): Calibration {
  const pairs = labels.map((label) => ({ label, judged: judgedStatus(label, verdicts) }));
  const criteria = [...new Set(labels.map((label) => label.criterion))];
  return {
    ...compare(pairs),
    criteria: criteria.map((criterion) => ({
      criterion,
      ...compare(pairs.filter(({ label }) => label.criterion === criterion)),
    })),
  };
}

/** Reviews of runs as labels of whole runs: nothing to say means it was good. A review still in progress says nothing by silence. */
export function reviewLabels(
  reviews: readonly { readonly runId: string; readonly feedback: string }[],
  status: "in_progress" | "complete" | null,
): readonly Label[] {
  return reviews
    .filter(({ feedback }) => feedback.trim() !== "" || status !== "in_progress")
    .map(({ runId, feedback }) => ({ subject: runId, criterion: null, passed: feedback.trim() === "" }));
}

interface Pair {
  readonly label: Label;
  /** Null: the judge was not asked. */
  readonly judged: Verdict["status"] | null;
}

function judgedStatus(label: Label, verdicts: readonly JudgedVerdict[]): Verdict["status"] | null {
  const found = verdicts
    .filter(({ subject, verdict }) => subject === label.subject && isAbout(label, verdict))
    .map(({ verdict }) => verdict.status);
  if (found.length === 0) return null;
  if (found.includes("failed")) return "failed";
  return found.includes("unscored") ? "unscored" : "passed";
}

function isAbout({ criterion }: Label, { checkId, text }: JudgedVerdict["verdict"]): boolean {
  return criterion === null || criterion === checkId || criterion.trim() === text.trim();
}

function compare(pairs: readonly Pair[]): Comparison {
  const scored = pairs.filter(({ judged }) => judged === "passed" || judged === "failed");
  const count = (person: boolean, judge: "passed" | "failed"): number =>
    scored.filter(({ label, judged }) => label.passed === person && judged === judge).length;
  const confusion = {
    bothPassed: count(true, "passed"),
    onlyJudgePassed: count(false, "passed"),
    onlyPersonPassed: count(true, "failed"),
    bothFailed: count(false, "failed"),
  };
  const right = confusion.bothPassed + confusion.bothFailed;
  return {
    labels: pairs.length,
    compared: scored.length,
    unscored: pairs.filter(({ judged }) => judged === "unscored").length,
    unmatched: pairs.filter(({ judged }) => judged === null).length,
    accuracy: scored.length === 0 ? null : right / scored.length,
    interval: wilson(right, scored.length),
    kappa: cohenKappa(scored.map(({ label, judged }) => [label.passed ? "passed" : "failed", judged ?? ""])),
    confusion,
  };
}
