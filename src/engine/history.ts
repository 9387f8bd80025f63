import { countsAs, UNKNOWN_USAGE } from "../domain/run.ts";
import type { PastRun, RunHistory } from "../plan/estimate.ts";
import { listIterations } from "../store/iterations.ts";
import { readIteration } from "../store/iteration.ts";
import { projectFolder } from "../store/layout.ts";
import { readManifest } from "../store/manifest.ts";

/** Iterations looked at for an estimate; older ones say little about today. */
const MOST_ITERATIONS = 5;

/**
 * What the newest iterations of the same harness and model took, and which model answered. For `auto` that is the harness of
 * the newest iteration with a run that counts: what one agent takes says nothing about another.
 */
export async function readHistory(
  results: string,
  wanted: {
    readonly suite: string;
    readonly harness: string;
    readonly model: string | null;
    readonly concurrency: number;
  },
): Promise<RunHistory & { readonly model: string | null }> {
  const runs: PastRun[] = [];
  let harness = wanted.harness === "auto" ? null : wanted.harness;
  let looked = 0;
  let model: string | null = null;
  for (const { folder } of (
    await listIterations(projectFolder(results).suite(wanted.suite).root)
  ).toReversed()) {
    const manifest = await readManifest(folder.manifest);
    if (manifest === null || manifest.model !== wanted.model) continue;
    if (manifest.harness !== (harness ?? manifest.harness)) continue;
    const { state } = await readIteration(folder);
    for (const { trial, run } of state.runs.values()) {
      if (countsAs(run.outcome) === "left-out") continue;
      model ??= run.model;
      harness ??= manifest.harness;
      if (run.durationMs === null) continue;
      const { inputTokens, outputTokens, costUsd } = run.usage;
      runs.push({
        caseId: trial.caseId,
        variant: trial.variant,
        seconds: run.durationMs / 1000,
        inputTokens,
        outputTokens,
        costUsd,
      });
    }
    looked++;
    if (looked >= MOST_ITERATIONS) break;
  }
  const agent = wanted.harness === "auto" ? harness : null;
  return { runs, agent, price: null, concurrency: wanted.concurrency, model };
}

/** The same with what tokens cost today of the planned model, or of the one that answered before. */
export async function pricedHistory(
  results: string,
  wanted: Parameters<typeof readHistory>[1],
  now: () => Date,
): Promise<RunHistory> {
  const history = await readHistory(results, wanted);
  const model = wanted.model ?? history.model;
  if (model === null || history.runs.length === 0) return history;
  const { loadPrices } = await import("../providers/prices.ts");
  const prices = await loadPrices(now());
  const priceOf = (input: number, output: number) =>
    prices.priceOf(model, { ...UNKNOWN_USAGE, inputTokens: input, outputTokens: output });
  if (priceOf(1, 1) === null) return history;
  return { ...history, price: ({ input, output }) => priceOf(input, output) ?? 0 };
}
