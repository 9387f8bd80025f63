import type { Iteration } from "../domain/iteration.ts";
import type { IterationWords, PassRate } from "../domain/pages.ts";
import type { Summary, SummaryVerdict } from "../domain/summary.ts";
import type { TrendLift } from "../domain/trend.ts";
import { plural } from "../lib/plural.ts";
import { points } from "../stats/words.ts";
import { otherCasesText, theseCasesText } from "./benchmark/lift-text.ts";
import { headlineOf } from "./headline.ts";
import { isHeld } from "./held.ts";
import { checksText, percent, rateText } from "./text.ts";

/** What an iteration says, in sentences that can be pasted. */
export function iterationWords(summary: Summary, iteration: Pick<Iteration, "skill">): IterationWords {
  const { benchmark } = summary;
  const facts = benchmark?.comparisons[0]?.passRate ?? null;
  const theseCases = benchmark?.noise?.explanation ?? (facts && theseCasesText(facts));
  return {
    headline: theseCases ?? [headlineOf(summary), ...measured(summary, iteration)].join("; "),
    theseCases,
    otherCases: facts && benchmark?.noise === null ? otherCasesText(facts) : null,
    decision: benchmark?.decision?.text ?? null,
  };
}

function measured({ variants, triggers }: Summary, iteration: Pick<Iteration, "skill">): readonly string[] {
  const arm = variants.find(({ variant, over }) => over === "task" && isHeld(variant, iteration)) ?? null;
  return [
    ...(arm === null || arm.checks.rate === null ? [] : [`checks ${checksText(arm.checks, arm.cases)}`]),
    ...(triggers === null ? [] : [`trigger queries ${rateText(triggers.accuracy)}`]),
  ];
}

const VERDICTS: Readonly<Record<SummaryVerdict, string>> = {
  passed: "Passed",
  failed: "Failed",
  unfinished: "Unfinished",
  ungraded: "Not graded",
};

/** The same in fewer words, from what is kept of every iteration. */
export function lineHeadline(
  verdict: SummaryVerdict,
  { passRate, lift }: { readonly passRate: PassRate | null; readonly lift: TrendLift | null },
): string {
  if (lift !== null && lift.verdict !== "invalid") {
    const on = lift.cases === undefined ? "" : ` on ${plural(lift.cases, "case")}`;
    const range =
      lift.low === null || lift.high === null ? "" : ` (${points(lift.low)} to ${points(lift.high)})`;
    const by = lift.lift === null ? "" : `: ${points(lift.lift)} points${range}`;
    return `${lift.verdict === "underpowered" ? "undecided" : lift.verdict}${on}${by}`;
  }
  const word = VERDICTS[verdict].toLowerCase();
  if (passRate === null || passRate.total === 0) return word;
  const { interval } = passRate;
  const range = interval === null ? "" : ` (${percent(interval.low)} to ${percent(interval.high)})`;
  return `${word}: ${passRate.passed} of ${passRate.total} checks${range}`;
}
