import type { JsonSchema } from "./shape.ts";

/** An object with exactly these keys, in this order: what services that enforce a schema accept. */
export function closedObject(properties: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
