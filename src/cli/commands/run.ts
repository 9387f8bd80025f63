import { evaluate } from "../../pipeline.ts";
import type { CliCommand } from "../command.ts";
import { withLoad } from "../../operations/grade/with-load.ts";
import { interruptible } from "../interrupt.ts";
import { defineTargets, strictOption } from "../options/targets.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { judgeNote } from "../../engine/models/judge-ahead.ts";
import { gradedBy } from "../../engine/models/judges.ts";
import { limitText } from "../../engine/models/limit-text.ts";
import { defineModelOptions } from "../options/models.ts";
import { exitCodeOf } from "../exit-code.ts";
import { defineRunOptions, readRunOptions } from "../options/run.ts";
import { makeReporters } from "../reporters.ts";
import { MachineStages } from "../../operations/evaluate/stages.ts";
import { openModels } from "../../engine/models/open-models.ts";

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
