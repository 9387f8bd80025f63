import { basename, dirname, join, relative } from "node:path";
import type { Variant } from "../../domain/trial.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { EvalMetadata } from "../read/eval-metadata.ts";
import type { FoundRunFolder } from "../read/runs.ts";
import { checksOf, disagreement, gradingOf } from "./checks.ts";
import { freeId, idIn, metadataOf } from "./eval-identity.ts";
import { type ForeignRun, NOTHING_KEPT, problemAt, type Report } from "./foreign.ts";
import { type ArmRun, gradedRuns } from "./graded-runs.ts";
import { keptRun } from "./kept-run.ts";
import { unknownArm, variantNamed } from "./variant.ts";

/** The runs of each eval that has folders for them. */
export async function evalRuns(
  root: string,
  found: readonly FoundRunFolder[],
  report: Report,
): Promise<readonly ForeignRun[]> {
  const taken = new Map<string, string>();
  const all: ForeignRun[] = [];
  for (const [folder, runs] of groupBy(found, ({ evalFolder }) => evalFolder)) {
    const [first] = runs;
    if (first === undefined) continue;
    const top = dirname(isFlat(first) ? first.folder.root : dirname(first.folder.root));
    const metadata = await metadataOf(top, runs, report);
    const evalId = freeId(metadata?.evalId ?? idIn(folder), { folder, taken, report, at: top });
    all.push(...(await readEval(root, { evalId, metadata, runs, top }, report)));
  }
  return all;
}

/** A configuration that is itself the only run. */
function isFlat({ folder, configuration }: FoundRunFolder): boolean {
  return basename(folder.root) === configuration;
}

interface FoundEval {
  readonly evalId: string | number;
  readonly metadata: EvalMetadata | null;
  readonly runs: readonly FoundRunFolder[];
  readonly top: string;
}

async function readEval(
  root: string,
  { evalId, metadata, runs: found, top }: FoundEval,
  report: Report,
): Promise<readonly ForeignRun[]> {
  const graded = await gradedRuns(oneArmEach(found, report), top, report);
  const lists = graded.flatMap((one) => one.lists);
  const asked = metadata?.assertions ?? [];
  const checks = checksOf(asked, lists);
  const contradiction = disagreement(asked, lists);
  if (contradiction !== null)
    report(problemAt(join(top, "eval_metadata.json"), "other-checks", contradiction));
  const runs: ForeignRun[] = [];
  for (const { run, variant, reading, lists: own } of graded) {
    const kept = await keptRun(run, report);
    const head = {
      ...NOTHING_KEPT,
      evalId,
      name: metadata?.evalName ?? null,
      prompt: metadata?.prompt ?? kept.prompt,
      variant,
      checks,
      ...kept.run,
      source: relative(root, run.folder.root).replaceAll("\\", "/"),
    };
    if (reading === null || own.length === 0) runs.push({ ...head, repetition: run.number, grading: null });
    else
      own.forEach((list, index) =>
        runs.push({ ...head, repetition: run.number + index, grading: gradingOf(checks, list, reading) }),
      );
  }
  return numbered(runs);
}

/** Several runs in one file, or a run-0, must not share a number with another. */
function numbered(runs: readonly ForeignRun[]): readonly ForeignRun[] {
  const next = new Map<Variant, number>();
  return runs.map((run) => {
    const repetition = Math.max(1, run.repetition, next.get(run.variant) ?? 1);
    next.set(run.variant, repetition + 1);
    return { ...run, repetition };
  });
}

/** Two configurations that mean the same variant are two experiments: only the first is read. */
function oneArmEach(runs: readonly FoundRunFolder[], report: Report): readonly ArmRun[] {
  const used = new Map<Variant, string>();
  return runs.flatMap((run) => {
    const variant = variantNamed(run.configuration);
    if (variant === null) {
      report(unknownArm(run.folder.root, run.configuration));
      return [];
    }
    const first = used.get(variant) ?? run.configuration;
    used.set(variant, first);
    if (first === run.configuration) return [{ run, variant }];
    report(
      problemAt(
        run.folder.root,
        "same-arm",
        `${JSON.stringify(first)} and ${JSON.stringify(run.configuration)} are both ${variant}, so the runs of the second are left out`,
      ),
    );
    return [];
  });
}
