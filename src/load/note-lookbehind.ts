import type { PythonRegex } from "../lib/python-regex/regex.ts";
import { pathText, type ReadContext } from "../lib/shape/shape.ts";

/** Python refuses what we take: the file would not load with the format's own tool. */
export function noteLookbehind(
  regex: PythonRegex,
  context: ReadContext,
  node: { readonly start: number },
): void {
  if (!regex.isVariableLookbehind) return;
  context.report({
    severity: "note",
    offset: node.start,
    code: "variable-lookbehind",
    message: `${pathText(context.path)} has a lookbehind of variable width, which Python rejects`,
    hint: "give every alternative the same length, or move it out of the lookbehind",
  });
}
