import { resolve } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { openModels } from "../engine/models/open-models.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { capturedSubject } from "../grade/captured-subject.ts";
import { CHECKS, HELD_TO, JUDGING } from "../options/grade.ts";
import { text } from "../options/kind.ts";
import { type Given, option, settle } from "../options/table.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { capturedFile } from "./grade/captured-file.ts";
import { gatesOf } from "./grade/gates.ts";
import { type LooseGradings, looseGradings } from "./grade/loose-gradings.ts";
import { withOnlyChecks } from "./grade/only-checks.ts";
import { type TargetCase, targetCases } from "./grade/targets.ts";

/** What `gradeText` can be told. */
export const GRADE_TEXT_OPTIONS = {
  output: option("--output <file>", text, "grade this captured text; nothing is run and nothing is kept"),
  ...HELD_TO,
  ...CHECKS,
  ...JUDGING,
};
export type GradeTextOptions = Given<typeof GRADE_TEXT_OPTIONS>;

export interface GradedText extends LooseGradings {
  /** Files that the case stages for a run, and that a captured text says nothing about. */
  readonly ignoredInputs: readonly string[];
}

/** Grades a text that somebody captured, by the checks of one case. Runs nothing and keeps nothing. */
export async function gradeText(options: GradeTextOptions, door: Door): Promise<GradedText> {
  const open = openDoor(door);
  const { machine, config, signal } = open;
  const settled = settle(GRADE_TEXT_OPTIONS, options, sourcesOf(open));
  const path = settled.output ?? noText();
  const results = resultsFolder(settled.workspace, machine);
  const request = { models: settled, cassettes: settled, results, config, account: null };
  await using models = await openModels(request, machine);
  const { plugins } = config;
  const { suite, case: one } = onlyCase(await targetCases({ ...settled, plugins, signal }, machine));
  const output = await capturedFile(resolve(machine.cwd, path));
  const [asked = one] = withOnlyChecks([one], settled.only);
  const subject = capturedSubject(asked, output, { skill: suite.skill?.name ?? null, now: machine.now() });
  const grading = await models.grade(subject, signal);
  return {
    ...looseGradings([{ name: `${one.id} on ${path}`, case: asked, grading }], gatesOf(settled, null)),
    ignoredInputs: one.files.map(({ target }) => target),
  };
}

function noText(): never {
  throw new UserError("grade/no-output", "which text should be graded?", {
    hint: "pass a text file with the output of the skill; assay capture makes one",
  });
}

function onlyCase(cases: readonly TargetCase[]): TargetCase {
  const [one, second] = cases;
  if (one !== undefined && second === undefined) return one;
  throw new UserError("grade/which-case", `the text could belong to any of ${cases.length} cases`, {
    hint: `choose one with --case: ${cases
      .slice(0, 12)
      .map(({ case: { id } }) => id)
      .join(", ")}`,
  });
}
