import { Argument } from "commander";
import type { FormatName } from "../../domain/suite.ts";
import { FORMAT_NAMES, schema, SCHEMA_OPTIONS } from "../../operations/schema.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";

/** Prints the JSON Schema of a format. */
export const command: CliCommand = {
  define(definition) {
    definition
      .addArgument(new Argument("<format>", SCHEMA_OPTIONS.format.help).choices(FORMAT_NAMES))
      .argument("[dialect]", SCHEMA_OPTIONS.dialect.help)
      .addHelpText(
        "after",
        "\nExamples:\n  assay schema clauditor > eval.schema.json\n  assay schema bmad triggers",
      );
  },
  async run({ args, terminal, machine }) {
    const [format, dialect] = args as [FormatName, string | undefined];
    const found = await schema({ format, dialect }, { machine });
    terminal.out(`${JSON.stringify(found.schema, null, 2)}\n`);
    return EXIT.ok;
  },
};
