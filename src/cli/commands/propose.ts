import { Option } from "commander";
import type { CliCommand } from "../command.ts";
import { withGrading } from "../../operations/grade/with-grading.ts";
import { propose } from "../../operations/improve/propose.ts";
import { unlessStopped } from "../../operations/improve/unless-stopped.ts";
import { interruptible } from "../interrupt.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { defineModelOptions } from "../options/models.ts";
import { wholeNumber } from "../options/numbers.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";

/** Drafts evals of a skill. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "the SKILL.md, skill directory or command file to draft evals for")
      .addOption(
        new Option("--to <format>", "the format to write")
          .choices(Object.keys(BUILT_IN_FORMATS))
          .default("skill-creator"),
      )
      .option("--from <run>", "learn from this run (a run folder or trial id) or captured file too")
      .option("--cases <n>", "how many cases to ask for", wholeNumber(1), 3)
      .option(
        "--triggers <n>",
        "how many trigger queries to ask for, half of them near misses",
        wholeNumber(0),
        10,
      )
      .option("--output <dir>", "write there instead of beside the skill")
      .option("--workspace <dir>", "where results are (default: .assay of the project you are in)");
    defineModelOptions(definition);
    defineCassetteOptions(definition);
    definition.addHelpText(
      "after",
      `
What is proposed is read by the loader, and everything it says against it is fed back once. Checks of code that hold although
nothing is done are dropped. Nothing that is there is overwritten, and that is looked at before a call is paid.

Examples:
  assay propose skills/pdf
  assay propose skills/pdf --to clauditor
  assay propose skills/pdf --from .assay/pdf/iteration-3/eval-1/with_skill/run-1

Exit codes: 0 written, 2 wrong input, 3 no answer that could be used.`,
    );
  },
  async run({ args, options: raw, terminal }) {
    const [target] = args as [string];
    return withGrading(raw, terminal, (graders) =>
      interruptible(
        terminal,
        (signal) => propose({ target, raw, graders, terminal }, signal).catch(unlessStopped(signal)),
        "interrupted: nothing was written (again to end at once)",
      ),
    );
  },
};
