import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersIn } from "../folders-in.ts";
import { type GradingReading, gradingReader, gradingsReader } from "../read/grading.ts";
import { checksOf, gradingOf } from "./checks.ts";
import { idIn } from "./eval-identity.ts";
import { type ForeignRun, NOTHING_KEPT, type Report } from "./foreign.ts";
import { readIfThere } from "./read-if-there.ts";
import { unknownArm, variantNamed } from "./variant.ts";

/** Runs of which only a grading.json is there, in the eval's folder. Evals that have folders for their runs are `known`. */
export async function gradedEvals(
  root: string,
  known: ReadonlySet<string>,
  report: Report,
): Promise<readonly ForeignRun[]> {
  const top = existsSync(join(root, "runs")) ? join(root, "runs") : root;
  const runs: ForeignRun[] = [];
  for (const name of (await foldersIn(top)).filter((folder) => !known.has(folder))) {
    const path = join(top, name, "grading.json");
    const reading = await readIfThere(gradingReader, path, report);
    if (reading !== null) runs.push(...armRuns(reading, { name, path, report }));
  }
  return runs;
}

/** Runs of which only one grading.json for all evals is there. */
export async function gradedTogether(root: string, report: Report): Promise<readonly ForeignRun[]> {
  const path = join(root, "grading.json");
  const whole = await readIfThere(gradingsReader, path, report);
  return Object.entries(whole ?? {}).flatMap(([name, reading]) => armRuns(reading, { name, path, report }));
}

function armRuns(
  reading: GradingReading,
  { name, path, report }: { name: string; path: string; report: Report },
): readonly ForeignRun[] {
  const arms = Object.entries(reading.arms);
  if (arms.length === 0) report(unknownArm(path, name));
  const checks = checksOf(
    [],
    arms.map(([, list]) => list),
  );
  return arms.flatMap(([configuration, list]): readonly ForeignRun[] => {
    const variant = variantNamed(configuration);
    if (variant === null) return [];
    const grading = gradingOf(checks, list, reading);
    return [
      {
        ...NOTHING_KEPT,
        evalId: idIn(name),
        name: null,
        prompt: null,
        variant,
        repetition: 1,
        checks,
        grading,
      },
    ];
  });
}
