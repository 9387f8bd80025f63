import { object, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { invalid, pathText, type Shape, type ShapeOutput } from "../../../lib/shape/shape.ts";
import { anything, int, list, located, number, record, refine, text } from "../../../lib/shape/values.ts";
import { GRADER } from "./grader-shape.ts";

/** What both files say at their top. */
const ABOUT = {
  schema_version: optionalOrNull(version()),
  description: optionalOrNull(text({ blank: "allowed" })),
  tags: optionalOrNull(located(list(text()))),
  plugins: optionalOrNull(located(list(text()))),
  runs: optionalOrNull(int({ min: 1, max: 50 })),
  expected_outcome: optionalOrNull(text({ blank: "allowed" })),
};

/** How the session is run. */
const EXECUTION = {
  model: optionalOrNull(located(text())),
  max_turns: optionalOrNull(located(int({ min: 1, max: 200 }))),
  timeout_seconds: optionalOrNull(number({ min: 1, max: 3600 })),
  allowed_tools: optionalOrNull(located(list(text()))),
  append_system_prompt: optionalOrNull(located(text({ blank: "allowed" }))),
  env: optionalOrNull(located(record(anything()))),
};

/** The frontmatter of `prompt.md`; its own tool refuses unknown keys, too. */
export const PROMPT_FILE = object(
  { name: optionalOrNull(text()), ...ABOUT, ...EXECUTION },
  { unknownKeys: "error", hints: { timeout: "timeout_seconds", tools: "allowed_tools" } },
);

/** `case.yaml`. */
export const CASE_FILE = object(
  {
    name: required(text()),
    ...ABOUT,
    execution: optionalOrNull(object({ ...EXECUTION, prompt: optionalOrNull(text()) })),
    context: optionalOrNull(
      object({
        scaffold_script: optionalOrNull(located(text())),
        history_file: optionalOrNull(located(text())),
        add_dirs: optionalOrNull(located(list(text())), null),
      }),
    ),
    graders: optionalOrNull(list(GRADER), []),
  },
  { hints: { prompt: "execution", setup: "context", checks: "graders" } },
);

export type PromptFile = ShapeOutput<typeof PROMPT_FILE>;
export type CaseFile = ShapeOutput<typeof CASE_FILE>;

/** YAML takes an unquoted 1.1 for a number. */
function version(): Shape<string> {
  return refine(
    anything(),
    (value, context, node) =>
      value === "1.0" || value === "1.1" || value === 1 || value === 1.1
        ? String(value)
        : invalid(context, node, {
            code: "schema-version",
            message: `${pathText(context.path)} must be "1.0" or "1.1", not ${JSON.stringify(value)}`,
            hint: 'write schema_version: "1.1"',
          }),
    { anyOf: [{ type: "string" }, { type: "number" }] },
  );
}
