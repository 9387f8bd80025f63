import type { CliCommand } from "../command.ts";
import { withGrading } from "../grade/with-grading.ts";
import { findPlace } from "../improve/place.ts";
import { suggestOnce } from "../improve/suggest.ts";
import { interruptible } from "../interrupt.ts";
import { defineModelOptions } from "../models/options.ts";
import { wholeNumber } from "../numbers.ts";
import { UserError } from "../../domain/user-error.ts";

/** Turns what failed into a better skill, and never overwrites what git could not bring back. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "the SKILL.md, skill directory or command file to improve")
      .option("--suggest", "one diff from the failing checks of the newest iteration; runs nothing")
      .option("--iteration <name>", "with --suggest: learn from this iteration-N instead")
      .option("--edits <n>", "at most this many edits at once", wholeNumber(1), 4)
      .option("--apply", "write the change into SKILL.md, which must be committed")
      .option("--evals <path>", "use this eval file or directory instead of what would be found")
      .option("--workspace <dir>", "where results are (default: .assay in the project)")
      .option("--json", "print only JSON");
    defineModelOptions(definition);
    definition.addHelpText(
      "after",
      `
Nothing is written into the skill without --apply, and nothing that is not committed is overwritten.

Examples:
  assay improve skills/pdf --suggest > pdf.diff    then: git apply pdf.diff, in the project's root
  assay improve skills/pdf --suggest --apply

Exit codes: 0 done, 2 wrong input, 3 no answer that could be used.`,
    );
  },
  async run({ args, options: raw, terminal }) {
    const [target] = args as [string];
    if (raw["suggest"] !== true) {
      throw new UserError("improve/which-way", "say how to improve it", { hint: "--suggest" });
    }
    const place = await findPlace(target, raw, terminal);
    return withGrading(raw, terminal, ({ find }) =>
      interruptible(
        terminal,
        (signal) => suggestOnce({ place, raw, find, terminal }, signal),
        "interrupted: nothing was written (again to end at once)",
      ),
    );
  },
};
