import { evaluate } from "../../pipeline.ts";
import type { CliCommand } from "../command.ts";
import { withLoad } from "../grade/with-load.ts";
import { interruptible } from "../interrupt.ts";
import { defineTargets, strictOption } from "../load-options.ts";
import { defineCassetteOptions } from "../models/cassettes.ts";
import { judgeNote } from "../models/judge-ahead.ts";
import { gradedBy } from "../models/judges.ts";
import { limitText } from "../models/limit-text.ts";
import { defineModelOptions } from "../models/options.ts";
import { exitCodeOf } from "../run/exit-code.ts";
import { defineRunOptions, readRunOptions } from "../run/options.ts";
import { makeReporters } from "../run/reporters.ts";
import { MachineStages } from "../run/stages.ts";
import { openModels } from "../models/open-models.ts";

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
    await using models = await openModels(raw, terminal, { file: "budget.json", resume: options.resume });
    const { services, cassettes, find, mask } = models;
    await using stages = new MachineStages({
      targets,
      raw,
      options,
      variants: ["with_skill"],
      defaultRuns: { task: options.fallback.runs ?? 1, trigger: 3 },
      terminal,
      reporter: makeReporters(options.reporters, terminal, () => limitText(services.gateway?.limits() ?? {})),
      mask,
      grade: options.grade ? models.grade : null,
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
      exitCodeOf(await evaluate(withLoad(stages, load), signal)),
    );
  },
};
