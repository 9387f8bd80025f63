import type { JsonSchema } from "../lib/shape/shape.ts";
import { objectAt } from "../lib/loose.ts";

/** Services only take schemas of objects, so any other value travels under one key. */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  return isObjectSchema(schema)
    ? schema
    : { type: "object", properties: { [KEY]: schema }, required: [KEY], additionalProperties: false };
}

/** The text of the value that was asked for, out of a value of `asObjectSchema`. */
export function unwrapped(value: unknown, schema: JsonSchema): string {
  const wrapped = !isObjectSchema(schema) && Object.keys(objectAt(value)).join() === KEY;
  return JSON.stringify(wrapped ? objectAt(value)[KEY] : value);
}

/** As `unwrapped`, for a value that came as text; what is not JSON stays as it is. */
export function unwrappedText(text: string, schema: JsonSchema): string {
  if (isObjectSchema(schema)) return text;
  try {
    return unwrapped(JSON.parse(text) as unknown, schema);
  } catch {
    return text;
  }
}

/** For services that take no schema, and for those that may pass over it in silence. */
export function schemaInstruction(schema: JsonSchema): string {
  return `Reply with one JSON value that is valid against this JSON Schema, and with nothing else: no prose, no code fence.\n${JSON.stringify(schema)}`;
}

const KEY = "reply";

function isObjectSchema(schema: JsonSchema): boolean {
  return schema["type"] === "object";
}
