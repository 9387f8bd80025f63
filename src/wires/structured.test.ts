import { describe, expect, it } from "vitest";
import { object, optional, required } from "../lib/shape/object.ts";
import { anything, bool, int, list, nullable, number, oneOf, record, text } from "../lib/shape/values.ts";
import { toStrict } from "./strict-schema.ts";
import { asObjectSchema, unwrapped, unwrappedText } from "./structured.ts";

const entry = object({
  index: required(int({ min: 1 })),
  status: required(oneOf(["passed", "failed"])),
  score: required(nullable(number({ min: 0, max: 1 }))),
});

describe("the strict form of a schema", () => {
  it("closes every object and requires every key", () => {
    expect(toStrict(object({ verdicts: required(list(entry)), ok: required(bool()) }).schema)).toEqual({
      type: "object",
      properties: {
        verdicts: {
          type: "array",
          items: {
            type: "object",
            properties: {
              index: { type: "integer", minimum: 1 },
              status: { type: "string", enum: ["passed", "failed"] },
              score: { anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { type: "null" }] },
            },
            required: ["index", "status", "score"],
            additionalProperties: false,
          },
        },
        ok: { type: "boolean" },
      },
      required: ["verdicts", "ok"],
      additionalProperties: false,
    });
  });

  it("forgets the author's own keys of a shape that refuses others", () => {
    const strict = toStrict(object({ a: required(text()) }, { unknownKeys: "error" }).schema);
    expect(strict).not.toHaveProperty("patternProperties");
  });

  it.each([
    ["an optional key", object({ a: optional(text()) })],
    ["free keys", record(text())],
    ["anything", list(anything())],
    ["anything in a choice", nullable(anything())],
  ])("does not exist for %s", (_, shape) => {
    expect(toStrict(shape.schema)).toBeNull();
  });
});

describe("a value that is no object", () => {
  const schema = list(entry).schema;

  it("travels under one key and comes out again", () => {
    expect(asObjectSchema(schema)).toMatchObject({ type: "object", properties: { reply: schema } });
    expect(unwrapped({ reply: [1] }, schema)).toBe("[1]");
    expect(unwrappedText('{"reply": [1]}', schema)).toBe("[1]");
  });

  it.each([["[1]"], ['{"reply": [1], "more": 2}'], ["not JSON"]])(
    "is left as it is when it came bare: %s",
    (bare) => {
      expect(unwrappedText(bare, schema).replaceAll(" ", "")).toBe(bare.replaceAll(" ", ""));
    },
  );

  it("is not looked for where an object was asked for", () => {
    expect(unwrapped({ reply: 1 }, { type: "object" })).toBe('{"reply":1}');
    expect(unwrappedText('{"reply": 1}', { type: "object" })).toBe('{"reply": 1}');
  });
});
