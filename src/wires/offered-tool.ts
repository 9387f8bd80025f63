import { objectAt, textAt } from "../lib/loose.ts";
import type { OfferedTool } from "./ask.ts";

/** A tool that takes JSON, which every dialect describes with the same two words, and its input with one of three. */
export function offeredTool(tool: unknown): OfferedTool {
  const schema = SCHEMAS.map((key) => objectAt(tool, key)).find((one) => Object.keys(one).length > 0);
  return {
    name: textAt(tool, "name"),
    custom: false,
    description: textAt(tool, "description"),
    ...(schema && { takes: Object.keys(objectAt(schema, "properties")) }),
  };
}

const SCHEMAS = ["parameters", "input_schema", "parametersJsonSchema"];
