import { clean, CLEAN_OPTIONS } from "../../operations/clean.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { cleaningText, removedText } from "../render/cleaning.ts";

/** Removes old iterations; never one that is running. */
export const command: CliCommand = {
  define(definition) {
    defineOptions(definition, CLEAN_OPTIONS);
    definition.addHelpText(
      "after",
      "\nExamples:\n  assay clean --keep 10\n  assay clean --older-than 30 --dry-run",
    );
  },
  async run({ given, config, terminal, machine }) {
    const cleaning = await clean(given(CLEAN_OPTIONS), {
      machine,
      config: await config(),
      on: (removed) => terminal.out(removedText(removed, terminal.cwd)),
    });
    terminal.out(cleaningText(cleaning, terminal.cwd));
    return EXIT.ok;
  },
};
