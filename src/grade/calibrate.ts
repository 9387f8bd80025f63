import type { RunReview } from "../domain/run-pages.ts";
import type { Verdict } from "../domain/verdict.ts";
import { groupBy } from "../lib/group-by.ts";
import { kappaByOutput } from "../stats/cluster-bootstrap.ts";
import type { Interval } from "../stats/intervals.ts";
import { rateByCluster } from "../stats/rate-by-cluster.ts";

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
export interface Calibration extends LabelComparison {
  /** One for each criterion that has labels, in their order; the run as a whole is null. */
  readonly criteria: readonly (LabelComparison & { readonly criterion: string | null })[];
}

export interface LabelComparison {
  readonly labels: number;
  /** Labels that a scored verdict stands against. */
  readonly compared: number;
  /** The judge came to no verdict. */
  readonly unscored: number;
  /** The judge was never asked, or the label names nothing there is. */
  readonly unmatched: number;
  readonly accuracy: number | null;
  /** By output, whose labels hang together; null for fewer than two. */
  readonly interval: Interval | null;
  /** Null where chance alone would explain every agreement. */
  readonly kappa: number | null;
  /** Over resampled outputs; null for fewer than five. */
  readonly kappaInterval: Interval | null;
  /** That labels were compared on. */
  readonly outputs: number;
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

/**
 * Reviews of runs as labels: of the checks that a person agreed or disagreed with, else of the whole run, where nothing to say
 * means it was good. A review still in progress says nothing by silence.
 */
export function reviewLabels(
  reviews: readonly Pick<RunReview, "runId" | "feedback" | "checks">[],
  status: "in_progress" | "complete" | null,
): readonly Label[] {
  return reviews.flatMap(({ runId, feedback, checks }): readonly Label[] => {
    const decided = checks.filter(({ verdict }) => verdict !== "unscored");
    if (decided.length > 0)
      return decided.map(({ checkId, agrees, verdict }) => ({
        subject: runId,
        criterion: checkId,
        passed: agrees === (verdict === "passed"),
      }));
    const isSilent = feedback.trim() === "";
    return isSilent && status === "in_progress"
      ? []
      : [{ subject: runId, criterion: null, passed: isSilent }];
  });
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

function compare(pairs: readonly Pair[]): LabelComparison {
  const scored = pairs.filter(({ judged }) => judged === "passed" || judged === "failed");
  const count = (person: boolean, judge: "passed" | "failed"): number =>
    scored.filter(({ label, judged }) => label.passed === person && judged === judge).length;
  const confusion = {
    bothPassed: count(true, "passed"),
    onlyJudgePassed: count(false, "passed"),
    onlyPersonPassed: count(true, "failed"),
    bothFailed: count(false, "failed"),
  };
  const outputs = [...groupBy(scored, ({ label }) => label.subject).values()];
  const { rate, low, high } = rateByCluster(
    outputs.map((mine) => ({
      passed: mine.filter(({ label, judged }) => label.passed === (judged === "passed")).length,
      total: mine.length,
    })),
  );
  const kappa = kappaByOutput(
    outputs.map((mine) =>
      mine.map(({ label, judged }) => [label.passed ? "passed" : "failed", judged ?? ""] as const),
    ),
  );
  return {
    labels: pairs.length,
    compared: scored.length,
    unscored: pairs.filter(({ judged }) => judged === "unscored").length,
    unmatched: pairs.filter(({ judged }) => judged === null).length,
    accuracy: rate,
    interval: low === null || high === null ? null : { low, high },
    kappa: kappa.value,
    kappaInterval: kappa.interval,
    outputs: outputs.length,
    confusion,
  };
}
