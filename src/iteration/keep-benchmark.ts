import type { Summary } from "../domain/summary.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { benchmarkFile } from "../report/benchmark/benchmark-file.ts";
import { benchmarkMarkdown } from "../report/benchmark/benchmark-markdown.ts";
import type { Evaluated } from "../report/evaluated.ts";
import type { IterationFolder } from "../store/layout.ts";
import { readEvalIds } from "../store/read/eval-ids.ts";
import { writeBenchmark } from "../store/write/benchmark.ts";
import { evidenceText, runNotes } from "../store/write/grading.ts";

/** benchmark.json and benchmark.md of an iteration that compared arms. */
export async function keepBenchmark(
  folder: IterationFolder,
  {
    evaluated,
    summary,
    caseFolders,
  }: { evaluated: Evaluated; summary: Summary; caseFolders: ReadonlyMap<string, string> },
  mask: SecretMask,
): Promise<void> {
  if (summary.benchmark === null) return;
  const file = benchmarkFile(evaluated, summary.benchmark, {
    evalIds: await readEvalIds(folder, evaluated.cases, caseFolders),
    evidence: evidenceText,
    notes: runNotes,
  });
  await writeBenchmark(folder, { file, text: benchmarkMarkdown(file) }, mask);
}
