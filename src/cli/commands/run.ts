import { join } from "node:path";
import { secretMask } from "../../lib/secret-mask.ts";
import { evaluate, type Stages } from "../../pipeline.ts";
import type { CliCommand } from "../command.ts";
import { interruptible } from "../interrupt.ts";
import { defineTargets, strictOption } from "../load-options.ts";
import { cassettesOf, defineCassetteOptions } from "../models/cassettes.ts";
import { judgeNote } from "../models/judge-ahead.ts";
import { gradedBy, judgeFinder } from "../models/judges.ts";
import { limitText } from "../models/limit-text.ts";
import { defineModelOptions, readModelOptions } from "../models/options.ts";
import { openServices } from "../models/services.ts";
import { resultsFolder } from "../results-folder.ts";
import { exitCodeOf } from "../run/exit-code.ts";
import { openGrading } from "../run/grade.ts";
import { defineRunOptions, readRunOptions } from "../run/options.ts";
import { makeReporters } from "../run/reporters.ts";
import { secretsOf } from "../run/secrets.ts";
import { MachineStages } from "../run/stages.ts";

/** The main job: load, plan, run, grade, report. */
export const command: CliCommand = {
  define(definition) {
    defineTargets(definition);
    defineRunOptions(definition);
    defineModelOptions(definition);
    defineCassetteOptions(definition);
    definition
      .addOption(strictOption())
      .addHelpText(
        "after",
        "\nExamples:\n  assay run skills/pdf\n  assay run skills/pdf --harness codex --runs 3\n  assay run . --changed main --json",
      );
  },
  async run({ args, options: raw, terminal }) {
    const [targets] = args as [string[]];
    const options = await readRunOptions(raw, terminal);
    const models = readModelOptions(raw);
    const account = { path: join(resultsFolder(raw, terminal), "budget.json"), resume: options.resume };
    const mask = secretMask(secretsOf(terminal.env));
    const cassettes = cassettesOf(raw, { terminal, mask });
    await using services = await openServices(models, terminal, { account, cassettes });
    const find = await judgeFinder({
      flags: models.grading,
      config: models.configuredGrading,
      services,
      terminal,
      // A remembered answer would leave no recording, and a recording is memory enough.
      cache: models.cache && cassettes === null ? join(resultsFolder(raw, terminal), "cache") : null,
    });
    await using grading = openGrading(find, models);
    await using stages = new MachineStages({
      targets,
      raw,
      options,
      variants: ["with_skill"],
      defaultRuns: { task: options.fallback.runs ?? 1, trigger: 3 },
      terminal,
      reporter: makeReporters(options.reporters, terminal, () => limitText(services.gateway?.limits() ?? {})),
      mask,
      grade: options.grade ? grading.grade : null,
      connect: services.connect,
      graded: (suite) => gradedBy(suite, find, services),
      hidden: cassettes === null ? [] : [cassettes.folder],
    });
    const load = async () => {
      const suites = await stages.load();
      const note = options.grade ? judgeNote(suites, find) : null;
      if (note !== null) terminal.err(`note: ${note}\n`);
      return suites;
    };
    return await interruptible(terminal, async (signal) =>
      exitCodeOf(await evaluate(stagesWith(stages, load), signal)),
    );
  },
};

function stagesWith({ plan, runAndGrade, summarize, report }: Stages, load: Stages["load"]): Stages {
  return { load, plan, runAndGrade, summarize, report };
}
