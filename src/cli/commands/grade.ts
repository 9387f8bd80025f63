import { secretMask } from "../../lib/secret-mask.ts";
import type { CliCommand } from "../command.ts";
import { type FoundIteration, findIteration } from "../../operations/find-run.ts";
import { calibrateJudge } from "../../operations/grade/calibrate.ts";
import { gradeCaptured } from "../../operations/grade/captured.ts";
import { withOnlyChecks } from "../../operations/grade/only-checks.ts";
import { defineGradeOptions, gatesOf, type GradeOptions, readGradeOptions } from "../options/grade.ts";
import { type LooseGrading, printGradings } from "../render/gradings.ts";
import { casesToGrade, regradeIteration, wantedCases } from "../../operations/grade/regrade.ts";
import { storedRuns } from "../../operations/grade/stored.ts";
import { type Graders, withGrading } from "../../operations/grade/with-grading.ts";
import { interruptible } from "../interrupt.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { defineModelOptions } from "../options/models.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { makeReporters } from "../reporters.ts";
import { secretsOf } from "../../engine/secrets.ts";
import type { Terminal } from "../terminal.ts";

/** Grades what is already there: an iteration, a captured text, or a judge against a person. */
export const command: CliCommand = {
  define(definition) {
    definition.argument(
      "[iteration]",
      "an iteration-N folder, SKILL@N, or a skill that was run for its newest (default: the newest of all); with --output, the skill",
    );
    defineGradeOptions(definition);
    defineModelOptions(definition);
    defineCassetteOptions(definition);
    definition.addHelpText(
      "after",
      `
Examples:
  assay grade                                   the newest iteration again, by the eval files as they are now
  assay grade pdf --grading-model claude-opus-4-6
  assay grade --only distance                   try one criterion; keeps nothing
  assay grade --output answer.txt --skill skills/pdf
  assay grade --calibrate labels.yaml --skill skills/pdf`,
    );
  },
  async run({ args, options: raw, terminal }) {
    const [name = null] = args as [string | undefined];
    const options = readGradeOptions(raw);
    const results = resultsFolder(raw, terminal);
    return withGrading(raw, terminal, (graders) =>
      interruptible(
        terminal,
        async (signal) => {
          if (options.labels !== null) {
            const call = { labels: options.labels, iteration: name, results, options, graders, terminal };
            return calibrateJudge(call, signal);
          }
          if (options.output !== null) {
            const asked = { ...options, skill: options.skill ?? (options.evals === null ? name : null) };
            return gradeCaptured(options.output, { options: asked, graders, terminal }, signal);
          }
          const found = await findIteration(name, { cwd: terminal.cwd, results });
          if (options.only.length > 0) return tryChecks(found, { options, graders, terminal }, signal);
          const reporter = makeReporters(options.reporters, terminal);
          const mask = secretMask(secretsOf(terminal.env));
          return regradeIteration({ found, options, graders, reporter, mask, terminal }, signal);
        },
        "interrupted: what is graded so far is kept; the same command grades everything (again to end at once)",
      ),
    );
  },
};

async function tryChecks(
  found: FoundIteration,
  { options, graders, terminal }: { options: GradeOptions; graders: Graders; terminal: Terminal },
  signal: AbortSignal,
): Promise<number> {
  const all = await casesToGrade(found, options, terminal);
  const cases = withOnlyChecks(wantedCases(all, options), options.only);
  const gradings: LooseGrading[] = [];
  for (const { subject, folder } of await storedRuns(found, cases)) {
    gradings.push({ name: folder, case: subject.case, grading: await graders.grade(subject, signal) });
  }
  const gates = gatesOf(options, found.state.iteration);
  return printGradings(gradings, { gates, json: options.json, terminal });
}
