import { Argument } from "commander";
import type { FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";

/** Prints the JSON Schema of a format, made from the definitions the loader itself uses. */
export const command: CliCommand = {
  define(definition) {
    definition
      .addArgument(new Argument("<format>", "which format").choices(Object.keys(BUILT_IN_FORMATS)))
      .argument("[dialect]", "which of the format's file kinds, e.g. triggers (default: its first)")
      .addHelpText(
        "after",
        "\nExamples:\n  assay schema clauditor > eval.schema.json\n  assay schema bmad triggers",
      );
  },
  async run({ args, terminal }) {
    const [name, dialect] = args as [FormatName, string | undefined];
    const { schemas } = await BUILT_IN_FORMATS[name]();
    const dialects = Object.keys(schemas);
    const schema = schemas[dialect ?? dialects[0] ?? ""];
    if (schema === undefined) {
      throw new UserError("schema/unknown-dialect", `${name} has no file kind ${JSON.stringify(dialect)}`, {
        hint: `it has ${dialects.join(", ")}`,
      });
    }
    const head = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: `${name} ${dialect ?? dialects[0]}`,
    };
    terminal.out(`${JSON.stringify({ ...head, ...schema }, null, 2)}\n`);
    return EXIT.ok;
  },
};
