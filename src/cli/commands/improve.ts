import type { CliCommand } from "../command.ts";
import { defineSomeRunOptions, readSomeRunOptions } from "../grade/some-run-options.ts";
import { withGrading } from "../grade/with-grading.ts";
import { improveDescription } from "../improve/description.ts";
import { findPlace } from "../improve/place.ts";
import { suggestOnce } from "../improve/suggest.ts";
import { interruptible } from "../interrupt.ts";
import { defineModelOptions } from "../models/options.ts";
import { wholeNumber } from "../numbers.ts";
import { UserError } from "../../domain/user-error.ts";

const RUN_OPTIONS = [
  "--harness",
  "--model",
  "--runs",
  "--concurrency",
  "--timeout",
  "--sandbox",
  "--trust",
  "--trigger-threshold",
  "--probe",
  "--rivals",
  "--workspace",
  "--seed",
  "--max-turns",
  "--permission-mode",
  "--allowed-tools",
  "--mcp",
  "--agent-arg",
  "--script",
  "--command",
];

/** Turns what failed into a better skill, and never overwrites what git could not bring back. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "the SKILL.md, skill directory or command file to improve")
      .option("--suggest", "one diff from the failing checks of the newest iteration; runs nothing")
      .option("--iteration <name>", "with --suggest: learn from this iteration-N instead")
      .option("--description", "find a description that fires better, by the skill's trigger queries")
      .option(
        "--rounds <n>",
        "with --description: try at most this many, the original included",
        wholeNumber(1),
        5,
      )
      .option("--edits <n>", "at most this many edits at once", wholeNumber(1), 4)
      .option("--apply", "write the change into SKILL.md, which must be committed")
      .option("--evals <path>", "use this eval file or directory instead of what would be found")
      .option("--json", "print only JSON");
    defineSomeRunOptions(definition, RUN_OPTIONS);
    defineModelOptions(definition);
    definition.addHelpText(
      "after",
      `
Nothing is written into the skill without --apply, and nothing that is not committed is overwritten.

Examples:
  assay improve skills/pdf --suggest > pdf.diff    then: git apply pdf.diff, in the project's root
  assay improve skills/pdf --suggest --apply
  assay improve skills/pdf --description --harness codex --max-cost 5

Exit codes: 0 done, 2 wrong input, 3 no answer that could be used.`,
    );
  },
  async run({ args, options: raw, terminal }) {
    const [target] = args as [string];
    const ways = ["suggest", "description"].filter((way) => raw[way] === true);
    if (ways.length !== 1) {
      throw new UserError("improve/which-way", "say how to improve it", {
        hint: "--suggest for one diff, or --description",
      });
    }
    const place = await findPlace(target, raw, terminal);
    const options = await readSomeRunOptions(raw, terminal);
    return withGrading(raw, terminal, (graders) =>
      interruptible(
        terminal,
        (signal) =>
          ways[0] === "suggest"
            ? suggestOnce({ place, raw, find: graders.find, terminal }, signal)
            : improveDescription({ place, target, raw, options, graders, terminal }, signal),
        "interrupted: the same command goes on later (again to end at once)",
      ),
    );
  },
};
