import { UserError } from "../domain/user-error.ts";
import type { JsonSchema } from "../lib/shape/shape.ts";
import { READABLE_FORMATS, READABLE_NAMES } from "../load/formats/index.ts";
import { choice, text } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, settle } from "../options/table.ts";
import type { Door } from "./door.ts";

export { FORMAT_NAMES } from "../load/formats/index.ts";

/** Files that are not of an eval format, by their only kind. */
const OWN_SCHEMAS = {
  config: { file: async () => (await import("../engine/config-schema.ts")).configSchema() },
  report: { document: async () => (await import("../report/report-schema.ts")).REPORT_SCHEMA },
} as const;

/** What there is a schema of: each eval format, the configuration, and what `--reporter json` prints. */
export const SCHEMA_NAMES = [...READABLE_NAMES, "config", "report"] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

/** What `schema` can be told. */
export const SCHEMA_OPTIONS = {
  format: option(null, choice(SCHEMA_NAMES), "which format or file"),
  dialect: option(null, text, "which of the format's file kinds, e.g. triggers (default: its first)"),
};
export type SchemaOptions = Given<typeof SCHEMA_OPTIONS> & { readonly format: SchemaName };

export interface FormatSchema {
  readonly format: SchemaName;
  readonly dialect: string;
  /** Every file kind of the format. */
  readonly dialects: readonly string[];
  /** A whole JSON Schema document. */
  readonly schema: JsonSchema;
}

/** The JSON Schema of a file, made from the definitions that the loader itself uses. */
export async function schema(options: SchemaOptions, { machine }: Door): Promise<FormatSchema> {
  const settled = settle(SCHEMA_OPTIONS, options, { env: machine.env });
  const { format, dialect: wanted } = required(settled, ["format"]);
  const schemas = await schemasOf(format);
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

/** Every schema there is: the name, and its file kinds. */
export async function listSchemas(): Promise<
  readonly { readonly format: SchemaName; readonly dialects: readonly string[] }[]
> {
  return Promise.all(
    SCHEMA_NAMES.map(async (format) => ({ format, dialects: Object.keys(await schemasOf(format)) })),
  );
}

async function schemasOf(name: SchemaName): Promise<Readonly<Record<string, JsonSchema>>> {
  if (name !== "config" && name !== "report") return (await READABLE_FORMATS[name]?.())?.schemas ?? {};
  const kinds = Object.entries(OWN_SCHEMAS[name]).map(async ([kind, load]) => [kind, await load()] as const);
  return Object.fromEntries(await Promise.all(kinds));
}
