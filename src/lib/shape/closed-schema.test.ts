import { expect, it } from "vitest";
import { closedObject, listOf } from "./closed-schema.ts";

it("demands every key, in the order given, and no other", () => {
  expect(closedObject({ reason: { type: "string" }, marks: listOf({ type: "integer" }) })).toEqual({
    type: "object",
    properties: { reason: { type: "string" }, marks: { type: "array", items: { type: "integer" } } },
    required: ["reason", "marks"],
    additionalProperties: false,
  });
});
