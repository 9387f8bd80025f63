import { UserError } from "../domain/user-error.ts";
import type { FormatName } from "../domain/suite.ts";
import type { JsonSchema } from "../lib/shape/shape.ts";
import { BUILT_IN_FORMATS, FORMAT_NAMES } from "../load/formats/index.ts";
import { choice, text } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, settle } from "../options/table.ts";
import type { Door } from "./door.ts";

export { FORMAT_NAMES } from "../load/formats/index.ts";

/** What `schema` can be told. */
export const SCHEMA_OPTIONS = {
  format: option(null, choice(FORMAT_NAMES), "which format"),
  dialect: option(null, text, "which of the format's file kinds, e.g. triggers (default: its first)"),
};
export type SchemaOptions = Given<typeof SCHEMA_OPTIONS> & { readonly format: FormatName };

export interface FormatSchema {
  readonly format: FormatName;
  readonly dialect: string;
  /** Every file kind of the format. */
  readonly dialects: readonly string[];
  /** A whole JSON Schema document. */
  readonly schema: JsonSchema;
}

/** The JSON Schema of a format, made from the definitions that the loader itself uses. */
export async function schema(options: SchemaOptions, { machine }: Door): Promise<FormatSchema> {
  const settled = settle(SCHEMA_OPTIONS, options, { env: machine.env });
  const { format, dialect: wanted } = required(settled, ["format"]);
  const { schemas } = await BUILT_IN_FORMATS[format]();
  const dialects = Object.keys(schemas);
  const dialect = wanted ?? dialects[0] ?? "";
  const found = Object.hasOwn(schemas, dialect) ? schemas[dialect] : undefined;
  if (found === undefined) {
    throw new UserError("schema/unknown-dialect", `${format} has no file kind ${JSON.stringify(dialect)}`, {
      hint: `it has ${dialects.join(", ")}`,
    });
  }
  const head = { $schema: "https://json-schema.org/draft/2020-12/schema", title: `${format} ${dialect}` };
  return { format, dialect, dialects, schema: { ...head, ...found } };
}
