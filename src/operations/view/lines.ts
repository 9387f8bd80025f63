import { isPartial, type Iteration } from "../../domain/iteration.ts";
import type { IterationLine, PassRate } from "../../domain/pages.ts";
import type { Summary } from "../../domain/summary.ts";
import type { TrendLift, TrendLine } from "../../domain/trend.ts";
import { lineHeadline } from "../../report/iteration-words.ts";
import { isHeld } from "../../report/held.ts";
import { testedArm } from "../../report/trend/series.ts";
import type { NumberedIteration } from "../../store/iterations.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { readManifest } from "../../store/manifest.ts";
import { readTrend } from "../../store/trend.ts";
import { readSummary } from "../shared/kept-run.ts";
import { progressOf } from "./progress.ts";

/** What is known of each iteration without its journal, newest first. One whose manifest cannot be read is a problem. */
export async function iterationLines(
  suite: SuiteFolder,
  iterations: readonly NumberedIteration[],
): Promise<{ readonly lines: readonly IterationLine[]; readonly problems: readonly string[] }> {
  const trend = new Map((await readTrend(suite.trend)).map((line) => [line.iteration, line]));
  const newest = new Set(iterations.slice(-IN_FULL));
  const problems: string[] = [];
  const found = await Promise.all(
    iterations.map(async (one) => {
      const manifest = await readManifest(one.folder.manifest).catch((error: unknown) => {
        problems.push((error as Error).message);
        return null;
      });
      if (manifest === null) return null;
      const kept = trend.get(one.number) ?? null;
      const summary = kept === null || newest.has(one) ? await readSummary(one.folder) : null;
      const progress = kept !== null && !newest.has(one) ? "complete" : await progressOf(one.folder);
      return { line: lineOf(manifest, { kept, summary }), manifest, progress };
    }),
  );
  const known = found.filter((one) => one !== null);
  const lines = known.map(({ line, manifest, progress }, at) => ({
    ...line,
    progress,
    changed: changedSince(known[at - 1]?.manifest ?? null, manifest),
  }));
  return { lines: lines.toReversed(), problems };
}

/** Summaries are large; of older iterations their line of the trend is enough. */
const IN_FULL = 3;

function lineOf(
  iteration: Iteration,
  { kept, summary }: { readonly kept: TrendLine | null; readonly summary: Summary | null },
): Omit<IterationLine, "progress" | "changed"> {
  const { number, purpose, createdAt, group, harness, model, skill } = iteration;
  const arm = kept === null ? null : testedArm(kept);
  const tested =
    summary?.variants.find(({ variant }) => isHeld(variant, { skill })) ?? summary?.variants[0] ?? null;
  const passRate: PassRate | null =
    arm !== null
      ? { passed: arm.passed, total: arm.total, interval: arm.interval ?? null }
      : tested && {
          passed: tested.checks.passed,
          total: tested.checks.total,
          interval: boundsOf(tested.checks),
        };
  const verdict = summary?.verdict ?? kept?.verdict ?? null;
  const lift = kept?.lift ?? null;
  return {
    n: number,
    purpose,
    partial: isPartial(iteration),
    at: createdAt,
    group,
    harness,
    model,
    verdict,
    headline: verdict && lineHeadline(verdict, { passRate, lift }),
    passRate,
    lift: lift && liftOf(lift),
    runs: summary?.trials ?? Object.values(kept?.arms ?? {}).reduce((sum, { trials }) => sum + trials, 0),
    costUsd: summary === null ? costOf(kept) : summary.spending.made.usage.costUsd,
    loaded:
      tested?.loaded === null || tested === null ? null : { loaded: tested.loaded, runs: tested.counted },
    triggers: summary?.triggers?.accuracy ?? null,
  };
}

function boundsOf({ low, high }: { readonly low: number | null; readonly high: number | null }) {
  return low === null || high === null ? null : { low, high };
}

function liftOf({ verdict, lift, low, high, action }: TrendLift): IterationLine["lift"] {
  return { verdict, lift, interval: boundsOf({ low, high }), action: action ?? null };
}

/** Of the counted runs, by their means; null where one arm's is not known. */
function costOf(kept: TrendLine | null): number | null {
  const arms = Object.values(kept?.arms ?? {});
  if (arms.length === 0 || arms.some(({ costUsd }) => costUsd === null)) return null;
  return arms.reduce((sum, { costUsd, scored }) => sum + (costUsd ?? 0) * scored, 0);
}

function changedSince(before: Iteration | null, { skill, evalFiles }: Iteration): IterationLine["changed"] {
  if (before === null) return [];
  const evals = (files: Iteration["evalFiles"]) =>
    files
      .map(({ sha256 }) => sha256)
      .toSorted()
      .join();
  return [
    ...(before.skill?.sha256 === skill?.sha256 ? [] : (["skill"] as const)),
    ...(evals(before.evalFiles) === evals(evalFiles) ? [] : (["evals"] as const)),
  ];
}
