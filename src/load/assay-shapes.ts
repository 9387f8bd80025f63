import type { Held } from "../domain/checks/field.ts";
import { compilePython } from "../lib/python-regex/compile.ts";
import { pathProblem, pathProblemText } from "../lib/relative-path.ts";
import { invalid, pathText, type Shape } from "../lib/shape/shape.ts";
import { anything, bool, int, list, number, refine, text } from "../lib/shape/values.ts";
import { noteLookbehind } from "./note-lookbehind.ts";

/** What one key must hold. */
export function shapeOf(held: Exclude<Held, { kind: "expectation" }>): Shape<unknown> {
  switch (held.kind) {
    case "text":
      return text({ blank: held.blank });
    case "pattern":
      return pattern({ multiline: held.lines });
    case "path":
      return workspacePath();
    case "integer":
      return int({ min: held.min });
    case "number":
      return number({ min: held.min });
    case "flag":
      return bool();
    case "texts":
      return list(text(), { minLength: 1 });
    case "json":
      return anything();
  }
}

/** A Python regular expression, compiled now so that a slip is found before a run. */
export function pattern(options: { multiline?: boolean } = {}): Shape<string> {
  return refine(text({ blank: "allowed" }), (value, context, node) => {
    const compiled = compilePython(value, options);
    if (compiled.ok) {
      noteLookbehind(compiled.regex, context, node);
      return value;
    }
    return invalid(context, node, {
      code: "bad-pattern",
      message: `${pathText(context.path)} is not a Python regular expression: ${compiled.message}`,
      hint: `in ${JSON.stringify(value)}, at character ${compiled.offset + 1}`,
    });
  });
}

/** A path or glob relative to the workspace that cannot leave it. */
export function workspacePath(): Shape<string> {
  return refine(text(), (path, context, node) => {
    const problem = pathProblem(path);
    if (problem === null) return path;
    return invalid(context, node, {
      code: "bad-path",
      message: `${pathText(context.path)} ${pathProblemText(problem)}: ${JSON.stringify(path)}`,
      hint: "give a path relative to the workspace",
    });
  });
}
