import { Argument } from "commander";
import {
  listSchemas,
  schema,
  SCHEMA_NAMES,
  SCHEMA_OPTIONS,
  type SchemaName,
} from "../../operations/schema.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { table } from "../render/table.ts";

/** Prints the JSON Schema of a file, or which there are. */
export const command: CliCommand = {
  define(definition) {
    definition
      .addArgument(
        new Argument("[format]", `${SCHEMA_OPTIONS.format.help}; without one, lists them`).choices(
          SCHEMA_NAMES,
        ),
      )
      .argument("[dialect]", SCHEMA_OPTIONS.dialect.help)
      .addHelpText(
        "after",
        "\nExamples:\n  assay schema\n  assay schema clauditor > eval.schema.json\n  assay schema bmad triggers\n  assay schema config > assay.schema.json",
      );
  },
  async run({ args, terminal, machine }) {
    const [format, dialect] = args as [SchemaName | undefined, string | undefined];
    if (format === undefined) {
      const rows = (await listSchemas()).map((one) => [one.format, one.dialects.join(", ")]);
      terminal.out(table(["schema", "file kinds"], rows));
      return EXIT.ok;
    }
    const found = await schema({ format, dialect }, { machine });
    terminal.out(`${JSON.stringify(found.schema, null, 2)}\n`);
    return EXIT.ok;
  },
};
