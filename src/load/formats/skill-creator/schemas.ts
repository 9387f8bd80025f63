import { object, optional, required } from "../../../lib/shape/object.ts";
import type { JsonSchema, Shape } from "../../../lib/shape/shape.ts";
import { list, text } from "../../../lib/shape/values.ts";
import { assayKeyShape } from "../../assay-key.ts";
import { STATEMENTS } from "./checks.ts";
import { EVAL_FIELDS } from "./eval-entry.ts";
import { HEAD_FIELDS } from "./file-head.ts";
import { declaredId } from "./ids.ts";
import { LABEL } from "./trigger-entry.ts";

/** For editors: the spellings to write, although more are read. */
export function evalsSchema(): JsonSchema {
  const entry = object({
    id: optional(EVAL_FIELDS.id.shape),
    name: optional(EVAL_FIELDS.name.shape),
    prompt: required(EVAL_FIELDS.prompt.shape),
    expected_output: optional(EVAL_FIELDS.expected_output.shape),
    files: optional(EVAL_FIELDS.files.shape),
    timeout: optional(EVAL_FIELDS.timeout.shape),
    expectations: optional(STATEMENTS),
    assertions: optional(STATEMENTS),
    assay: optional(EVAL_FIELDS.assay.shape),
  });
  return oneOfShapes([object({ ...HEAD, evals: required(list(entry)) }), list(entry)]);
}

export function triggersSchema(): JsonSchema {
  const entry = object({
    id: optional(declaredId()),
    query: required(text()),
    should_trigger: required(LABEL),
    assay: optional(assayKeyShape("trigger")),
  });
  const groups = object({
    ...HEAD,
    should_trigger: required(list(text())),
    should_not_trigger: required(list(text())),
  });
  return oneOfShapes([list(entry), object({ ...HEAD, queries: required(list(entry)) }), groups]);
}

const HEAD = {
  skill_name: optional(HEAD_FIELDS.skill_name.shape),
  description: optional(HEAD_FIELDS.description.shape),
  assay: optional(HEAD_FIELDS.assay.shape),
};

function oneOfShapes(shapes: readonly Shape<unknown>[]): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    anyOf: shapes.map((shape) => shape.schema),
  };
}
