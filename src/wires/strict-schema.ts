import type { JsonObject } from "../domain/json.ts";
import type { PlainValue } from "../lib/document/node.ts";
import type { JsonSchema } from "../lib/shape/shape.ts";
import { asObjectSchema } from "./structured.ts";

/** A schema as OpenAI's dialects send it: enforced where it can be said strictly, otherwise as advice. */
export function namedSchema(schema: JsonSchema): JsonObject {
  const whole = asObjectSchema(schema);
  const strict = toStrict(whole);
  return { name: "reply", schema: strict ?? whole, strict: strict !== null };
}

/**
 * The schema in the form that OpenAI enforces while the model writes: every object closed, every key required. Null when
 * it cannot be said that way without changing what is asked for; then it is sent as advice.
 */
export function toStrict(schema: JsonSchema): JsonSchema | null {
  if (schema["anyOf"] !== undefined) {
    const choices = all(schema["anyOf"]);
    return choices === null ? null : { ...schema, anyOf: choices };
  }
  const choices = schema["enum"];
  if (Array.isArray(choices)) {
    return choices.every((choice) => typeof choice === "string") ? { ...schema, type: "string" } : null;
  }
  switch (schema["type"]) {
    case "object":
      return strictObject(schema);
    case "array": {
      const element = isSchema(schema["items"]) ? toStrict(schema["items"]) : null;
      return element === null ? null : { ...schema, items: element };
    }
    case "string":
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return schema;
    default:
      return null;
  }
}

function strictObject(schema: JsonSchema): JsonSchema | null {
  const { properties, required = [], patternProperties: _, additionalProperties = false } = schema;
  if (!isSchema(properties) || additionalProperties !== false || !Array.isArray(required)) return null;
  const entries: [string, PlainValue][] = [];
  for (const [key, value] of Object.entries(properties)) {
    const strict = isSchema(value) && required.includes(key) ? toStrict(value) : null;
    if (strict === null) return null;
    entries.push([key, strict]);
  }
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function all(schemas: PlainValue): readonly JsonSchema[] | null {
  const strict = (Array.isArray(schemas) ? (schemas as readonly PlainValue[]) : []).map((schema) =>
    isSchema(schema) ? toStrict(schema) : null,
  );
  return strict.every((schema) => schema !== null) ? strict : null;
}

function isSchema(value: PlainValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
