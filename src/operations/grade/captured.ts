import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { type CapturedOutput, capturedSubject } from "../../grade/captured-subject.ts";
import type { Machine } from "../../machine.ts";
import { withOnlyChecks } from "./only-checks.ts";
import { gatesOf, type GradeOptions } from "../../cli/options/grade.ts";
import { printGradings } from "../../cli/render/gradings.ts";
import { type TargetCase, targetCases } from "./targets.ts";
import type { Graders } from "./with-grading.ts";

const IGNORED_INPUTS = "WARNING: --output bypasses the runner; input_files declaration is ignored.";

/** Grades a text that somebody captured, by the checks of one case. Runs nothing and keeps nothing. */
export async function gradeCaptured(
  path: string,
  { options, graders, machine }: { options: GradeOptions; graders: Graders; machine: Machine },
  signal: AbortSignal,
): Promise<number> {
  const { suite, case: one } = onlyCase(await targetCases(options, machine));
  const output = await capturedFile(resolve(machine.cwd, path));
  if (one.files.length > 0) machine.err(`${IGNORED_INPUTS}\n`);
  const [asked = one] = withOnlyChecks([one], options.only);
  const subject = capturedSubject(asked, output, { skill: suite.skill?.name ?? null, now: new Date() });
  const grading = await graders.grade(subject, signal);
  return printGradings([{ name: `${one.id} on ${path}`, case: asked, grading }], {
    gates: gatesOf(options, null),
    json: options.json,
    machine,
  });
}

function onlyCase(cases: readonly TargetCase[]): TargetCase {
  const [one, second] = cases;
  if (one !== undefined && second === undefined) return one;
  throw new UserError("grade/which-case", `the text could be of any of ${cases.length} cases`, {
    hint: `name one with --case: ${cases
      .slice(0, 12)
      .map(({ case: { id } }) => id)
      .join(", ")}`,
  });
}

export async function capturedFile(path: string): Promise<CapturedOutput> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) return { path, bytes: found.size };
  throw new UserError("grade/no-output", `${path} is not a file that can be read`, {
    hint: "name a text file that holds what the skill put out; assay capture makes one",
  });
}
