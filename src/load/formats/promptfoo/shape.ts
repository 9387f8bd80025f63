import { object, optionalOrNull, required } from "../../../lib/shape/object.ts";
import type { Shape, ShapeOutput } from "../../../lib/shape/shape.ts";
import type { DocNode } from "../../../lib/document/node.ts";
import { anything, list, number, text } from "../../../lib/shape/values.ts";

/** A value that is read later, where it stands. */
function node(): Shape<DocNode> {
  return { schema: {}, read: (found) => found };
}

/** Whatever else an assertion says is kept, and told. */
export const ASSERTION = object(
  {
    type: required(text()),
    value: optionalOrNull(node()),
    threshold: optionalOrNull(number()),
    weight: optionalOrNull(number()),
    assert: optionalOrNull(list(node()), []),
  },
  { unknownKeys: "allowed" },
);

export const TEST = object(
  {
    description: optionalOrNull(text({ blank: "allowed" })),
    vars: optionalOrNull(node()),
    assert: optionalOrNull(list(node()), []),
    threshold: optionalOrNull(number()),
    options: optionalOrNull(object({}, { unknownKeys: "allowed" })),
    prompts: optionalOrNull(list(text())),
    metadata: optionalOrNull(anything()),
  },
  { unknownKeys: "allowed" },
);

export type Test = ShapeOutput<typeof TEST>;

/** The configuration. Keys that only say how promptfoo runs are allowed, and told. */
export const CONFIG = object(
  {
    description: optionalOrNull(text({ blank: "allowed" })),
    prompts: optionalOrNull(node()),
    defaultTest: optionalOrNull(node()),
    tests: optionalOrNull(node()),
    scenarios: optionalOrNull(node()),
    evaluateOptions: optionalOrNull(object({}, { unknownKeys: "allowed" })),
  },
  { unknownKeys: "allowed" },
);
