import { calibrate, CALIBRATE_OPTIONS } from "../../operations/calibrate.ts";
import type { Door } from "../../operations/door.ts";
import { GRADE_AGAIN_OPTIONS, gradeAgain, type LooseGradings } from "../../operations/grade-again.ts";
import { GRADE_TEXT_OPTIONS, gradeText } from "../../operations/grade-text.ts";
import { pick } from "../../operations/options.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { exitCodeOf } from "../exit-code.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { fitted } from "../render/fitted.ts";
import { calibrationText } from "../render/calibration.ts";
import { gradingsJson, gradingsText } from "../render/gradings.ts";
import { defineReporters, lookOf, reportersOf } from "../reporters.ts";
import { configOption } from "../shared-options.ts";

/** Grades what is already there: an iteration, a captured text, or a judge against a person. */
export const command: CliCommand = {
  define(definition) {
    definition.argument(
      "[iteration]",
      "an iteration-N folder, SKILL@N, or a skill that was run for its newest (default: the newest of all); with --output, the skill",
    );
    const table = {
      ...pick(GRADE_TEXT_OPTIONS, ["output"]),
      ...pick(CALIBRATE_OPTIONS, ["labels"]),
      ...GRADE_AGAIN_OPTIONS,
      ...GRADE_TEXT_OPTIONS,
      ...CALIBRATE_OPTIONS,
    };
    defineOptions(definition, table, { help: PARTS_HELP });
    definition.addOption(configOption());
    defineReporters(definition);
    definition.addHelpText(
      "after",
      `
Examples:
  assay grade                                   # the newest iteration again, by the eval files as they are now
  assay grade pdf --grading-model claude-opus-4-6
  assay grade --only pages                      # try one check; saves nothing
  assay grade --output new.txt --skill skills/pdf --case 1
  assay grade --calibrate labels.yaml --skill skills/find-venues`,
    );
  },
  async run(call) {
    const config = await call.config();
    return interruptible(
      call.terminal,
      (signal) => gradeAs(call, { machine: call.machine, config, signal }),
      "interrupted: what is graded so far is kept; the same command grades everything (press Ctrl-C again to quit now)",
    );
  },
};

async function gradeAs(call: CommandCall, door: Door): Promise<number> {
  const [name = null] = call.args as [string | undefined];
  const { terminal } = call;
  const labelled = call.given(CALIBRATE_OPTIONS);
  if (labelled.labels !== undefined) {
    const calibration = await calibrate({ iteration: name, ...labelled }, door);
    terminal.out(
      isJson(call)
        ? `${JSON.stringify(calibration, null, 2)}\n`
        : calibrationText(calibration, lookOf(terminal).columns),
    );
    // Disagreement is a finding, not a missed gate; only where nothing could be compared there is no answer.
    return calibration.compared === 0 ? EXIT.unfinished : EXIT.ok;
  }
  const captured = call.given(GRADE_TEXT_OPTIONS);
  if (captured.output !== undefined) {
    const skill = captured.skill ?? (captured.evals === undefined ? name : null);
    const graded = await gradeText({ ...captured, skill }, door);
    if (graded.ignoredInputs.length > 0) terminal.err(`${IGNORED_INPUTS}\n`);
    return printLoose(graded, call);
  }
  const reporters = await reportersOf(call);
  const graded = await gradeAgain(
    { iteration: name, ...call.given(GRADE_AGAIN_OPTIONS) },
    { ...door, reporters },
  );
  return graded.kind === "tried"
    ? printLoose(graded.gradings, call)
    : exitCodeOf(graded.evaluation, terminal);
}

const IGNORED_INPUTS = "WARNING: --output bypasses the runner; input_files declaration is ignored.";

function printLoose(gradings: LooseGradings, call: CommandCall): number {
  call.terminal.out(
    isJson(call) ? gradingsJson(gradings) : fitted(gradingsText(gradings), call.terminal, "out"),
  );
  return { passed: EXIT.ok, failed: EXIT.gateMissed, unfinished: EXIT.unfinished }[gradings.verdict];
}

function isJson({ options }: CommandCall): boolean {
  return options["json"] === true;
}
