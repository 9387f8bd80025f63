import type { DocNode } from "../../../lib/document/node.ts";
import { object, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { INVALID, invalid, pathText, type Shape, type ShapeOutput } from "../../../lib/shape/shape.ts";
import { bool, int, located, number, oneOf, refine, text, wrongType } from "../../../lib/shape/values.ts";

const GRADER_TYPES = ["regex", "tool_used", "tool_order", "file_exists", "llm", "baseline"] as const;

/** What a grader looks at. */
export type Target =
  | { readonly source: "last_message" | "trace" | "files" | "mock_calls" }
  | { readonly source: "file"; readonly path: string };

/** A call of a tool, of which the input may have to match. */
export interface ToolCall {
  readonly tool: string;
  readonly input_match: string | null;
}

/** Every key of every type; which of them a type needs is asked where it is read. */
export const GRADER = object(
  {
    type: required(oneOf(GRADER_TYPES)),
    name: optionalOrNull(text()),
    weight: optionalOrNull(located(number({ min: 0 }))),
    arm: optionalOrNull(oneOf(["with-only", "both"])),
    pattern: optionalOrNull(located(text({ blank: "allowed" }))),
    flags: optionalOrNull(located(text({ blank: "allowed" }))),
    match: optionalOrNull(matching()),
    target: optionalOrNull(located(target())),
    tool: optionalOrNull(text()),
    input_match: optionalOrNull(located(text())),
    min: optionalOrNull(int({ min: 0 })),
    max: optionalOrNull(located(int({ min: 0 }))),
    before: optionalOrNull(located(toolCall())),
    after: optionalOrNull(located(toolCall())),
    path: optionalOrNull(located(text())),
    exists: optionalOrNull(bool()),
    criteria: optionalOrNull(text()),
    focus: optionalOrNull(located(target())),
    baseline_file: optionalOrNull(located(text())),
  },
  { hints: { regex: "pattern", rubric: "criteria", matches: "match" } },
);

export type PluginGrader = ShapeOutput<typeof GRADER>;

/** How often a pattern must be found: at all, never, or so many times. */
function matching(): Shape<"contains" | number> {
  return refine(text(), (value, context, node) => {
    if (value === "contains") return value;
    if (value === "not_contains") return 0;
    const count = /^count:\s*(\d{1,4})$/.exec(value);
    if (count !== null) return Number(count[1]);
    return invalid(context, node, {
      code: "not-a-choice",
      message: `${pathText(context.path)} must be contains, not_contains or count:N, not ${JSON.stringify(value)}`,
    });
  });
}

function target(): Shape<Target> {
  const word = oneOf(["last_message", "trace", "files", "mock_calls"]);
  const file = object({ source: required(oneOf(["file"])), path: required(text()) });
  return {
    schema: { anyOf: [word.schema, file.schema] },
    read(node, context) {
      if (node.kind === "object") return file.read(node, context);
      const source = word.read(node, context);
      return source === INVALID ? INVALID : { source };
    },
  };
}

function toolCall(): Shape<ToolCall> {
  const call = object({ tool: required(text()), input_match: optionalOrNull(text()) });
  return {
    schema: { anyOf: [{ type: "string" }, call.schema] },
    read(node: DocNode, context) {
      if (node.kind === "string") return { tool: node.value, input_match: null };
      if (node.kind !== "object") return wrongType(node, context, "the name of a tool, or an object");
      return call.read(node, context);
    },
  };
}
