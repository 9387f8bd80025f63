import { secretMask } from "../../lib/secret-mask.ts";
import type { CliCommand } from "../command.ts";
import { askAt } from "../../operations/compare/ask.ts";
import { compareNamed } from "../../operations/compare/compare.ts";
import { defineCompareOptions, explainSharedOptions, readCompareOptions } from "../options/compare.ts";
import { EXIT } from "../exit.ts";
import { type Graders, withGrading } from "../../operations/grade/with-grading.ts";
import { interruptible } from "../interrupt.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { defineModelOptions } from "../options/models.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { defineRunOptions } from "../options/run.ts";
import { secretsOf } from "../../engine/secrets.ts";

/** Is the second better than the first: check by check, and to judges who do not know which is which. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument(
        "<first>",
        "what the second is held against: an iteration, a run folder, a text file, a git ref or a directory with a skill",
      )
      .argument("<second>", "the newer one, of the same kind");
    defineCompareOptions(definition);
    definition.optionsGroup("Running versions:");
    defineRunOptions(definition);
    definition.optionsGroup("Judges and limits:");
    defineModelOptions(definition);
    definition.optionsGroup("Recordings:");
    defineCassetteOptions(definition);
    explainSharedOptions(definition);
    definition.addHelpText("after", HELP);
  },
  async run({ args, options: raw, terminal }) {
    const names = args as [string, string];
    const options = readCompareOptions(raw);
    // The judges who compare are many; each run is graded as assay run does it.
    const graded = { ...raw, judges: undefined };
    const account = { file: "budget-compare.json", resume: raw["resume"] === true };
    const compareWith = (graders: Graders) =>
      interruptible(
        terminal,
        async (signal) => {
          try {
            return await compareNamed(
              {
                names: [names[0], names[1]],
                options,
                raw,
                results: resultsFolder(raw, terminal),
                graders,
                mask: secretMask(secretsOf(terminal.env)),
                terminal,
                ask: askAt(terminal),
              },
              signal,
            );
          } catch (error) {
            if (signal.aborted) return EXIT.interrupted;
            throw error;
          }
        },
        "interrupted: what was run and answered is kept; the same command goes on, for versions with --resume (again to end at once)",
      );
    return withGrading(graded, terminal, compareWith, account);
  },
};

const HELP = `
Versions are run first, side by side, on the cases that the skill has now.
Exit codes: 1 when a check that passed now fails or the judges prefer the first; 3 when a judgement or a run is missing.

Examples:
  assay compare pdf@3 pdf@4                       two iterations: checks that changed, then blind judges
  assay compare 3 4 --flips                       only the checks; free
  assay compare main skills/pdf --analyze         the skill on main against the skill as it is now
  assay compare v1.0 HEAD --skill skills/pdf      two git refs
  assay compare old.txt new.txt --prompt "Summarise the report"
  assay compare 3 4 --human`;
