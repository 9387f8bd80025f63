import { nearest } from "../../../lib/nearest.ts";
import { type CompileOptions, compilePython } from "../../../lib/python-regex/compile.ts";
import { noteLookbehind } from "../../note-lookbehind.ts";
import { invalid, pathText, type ReadContext, type Shape } from "../../../lib/shape/shape.ts";
import { int, refine, text } from "../../../lib/shape/values.ts";
import { formatNames, valueFormat } from "../../../lib/value-formats.ts";

/** A Python regular expression, compiled here so that a mistake shows before anything runs. */
export function pattern(options: CompileOptions = {}): Shape<string> {
  return refine(text({ blank: "allowed" }), (value, context, node) => {
    const compiled = compilePython(value, options);
    if (!compiled.ok) {
      return invalid(context, node, {
        code: "bad-regex",
        message: `${pathText(context.path)} is not a regular expression: ${compiled.message}`,
        hint: `at character ${compiled.offset + 1} of the pattern; Python syntax is expected`,
      });
    }
    noteLookbehind(compiled.regex, context, node);
    if (value === "") noteAlwaysTrue(context, node, "an empty pattern matches everything");
    return value;
  });
}

/** A text to look for. */
export function needle(): Shape<string> {
  return refine(text({ blank: "allowed" }), (value, context, node) => {
    if (value === "") noteAlwaysTrue(context, node, "an empty needle is in every output");
    return value;
  });
}

/** How many or how long an output must be at least. */
export function least(): Shape<number> {
  return refine(int({ min: 0 }), (value, context, node) => {
    if (value === 0) noteAlwaysTrue(context, node, "every output has at least 0");
    return value;
  });
}

/** The name of a value format, or else a regular expression for the whole value. */
export function formatOrPattern(options: CompileOptions = {}): Shape<string> {
  const inline = pattern(options);
  return refine(text(), (value, context, node) => {
    if (valueFormat(value) !== null) return value;
    const near = nearest(value, formatNames);
    if (near !== null || /^[\w -]+$/.test(value)) {
      context.report({
        severity: "note",
        offset: node.start,
        code: "inline-format",
        message: `${pathText(context.path)} is not a registered format, so ${JSON.stringify(value)} is used as a regular expression`,
        hint:
          near === null ? `registered: ${formatNames.join(", ")}` : `did you mean ${JSON.stringify(near)}?`,
      });
    }
    return inline.read(node, context);
  });
}

function noteAlwaysTrue(context: ReadContext, node: { readonly start: number }, why: string): void {
  context.report({
    severity: "note",
    offset: node.start,
    code: "vacuous",
    message: `${pathText(context.path)} proves nothing: ${why}`,
  });
}
