import { dirname, join } from "node:path";
import type { Variant } from "../../domain/trial.ts";
import { type GradingReading, gradingReader } from "../read/grading.ts";
import type { FoundRunFolder } from "../read/runs.ts";
import type { GradedStatement } from "../read/statements.ts";
import { problemAt, type Report } from "./foreign.ts";
import { readIfThere } from "./read-if-there.ts";
import { variantNamed } from "./variant.ts";

/** A run's folder, and the arm that it belongs to. */
export interface ArmRun {
  readonly run: FoundRunFolder;
  readonly variant: Variant;
}

interface GradedArmRun extends ArmRun {
  /** Null: nothing graded it. */
  readonly reading: GradingReading | null;
  /** What the file holds of this run; several where it holds several runs. */
  readonly lists: readonly (readonly GradedStatement[])[];
}

/**
 * The runs of one eval with what graded them: the grading.json of the run, or one above it, up to the eval's folder `top`, which then
 * must say which run or arm it is about.
 */
export async function gradedRuns(
  runs: readonly ArmRun[],
  top: string,
  report: Report,
): Promise<readonly GradedArmRun[]> {
  const read = new Map<string, Promise<GradingReading | null>>();
  const gradingIn = (folder: string) => {
    const path = join(folder, "grading.json");
    const known = read.get(path) ?? readIfThere(gradingReader, path, report);
    read.set(path, known);
    return known;
  };
  const graded: GradedArmRun[] = [];
  for (const one of runs) {
    const own = await gradingIn(one.run.folder.root);
    if (own !== null) {
      graded.push({ ...one, reading: own, lists: listsOf(own, one.variant) });
      continue;
    }
    const beside = runs.filter(({ variant }) => variant === one.variant);
    const folder = await firstGraded(one.run.folder.root, top, gradingIn);
    const shared = folder === null ? null : await gradingIn(folder);
    const arms = folder === top ? new Set(runs.map(({ variant }) => variant)).size : 1;
    const lists = shared === null ? [] : sharedLists(shared, { one, beside, arms });
    if (lists === null)
      reportUnclear(join(folder ?? top, "grading.json"), { report, first: beside[0] === one });
    graded.push({ ...one, reading: shared, lists: lists ?? [] });
  }
  return graded;
}

/** All runs of the arm that a file holds. */
function listsOf({ runs, arms }: GradingReading, variant: Variant): GradedArmRun["lists"] {
  const own = Object.entries(arms).find(([name]) => variantNamed(name) === variant);
  return own === undefined ? runs : [own[1]];
}

async function firstGraded(
  run: string,
  top: string,
  gradingIn: (folder: string) => Promise<GradingReading | null>,
): Promise<string | null> {
  for (let folder = dirname(run); folder.length >= top.length; folder = dirname(folder))
    if ((await gradingIn(folder)) !== null) return folder;
  return null;
}

/** Null: nothing says which of the runs it is about. */
function sharedLists(
  reading: GradingReading,
  { one, beside, arms }: { one: ArmRun; beside: readonly ArmRun[]; arms: number },
): GradedArmRun["lists"] | null {
  const place = beside.indexOf(one);
  if (Object.keys(reading.arms).length > 0) return place === 0 ? listsOf(reading, one.variant) : [];
  if (arms > 1) return null;
  if (beside.length === 1) return reading.runs;
  const own = reading.runs[place];
  return own === undefined || reading.runs.length !== beside.length ? null : [own];
}

function reportUnclear(path: string, { report, first }: { report: Report; first: boolean }): void {
  if (first)
    report(
      problemAt(
        path,
        "unclear-run",
        "it does not say which of the runs below it is about, so they count as not graded",
      ),
    );
}
