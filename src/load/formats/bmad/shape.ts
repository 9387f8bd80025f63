import { fileNameProblem } from "../../../lib/file-name.ts";
import { normalizeRelative, pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import { object, optional, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { invalid, pathText, type Shape, type ShapeOutput } from "../../../lib/shape/shape.ts";
import { bool, int, list, located, refine, text, wrongType } from "../../../lib/shape/values.ts";
import { assayKeyShape } from "../../assay-key.ts";

export type BmadEval = ShapeOutput<typeof EVAL>;
export type BmadCase = ShapeOutput<typeof CASE>;
export type BmadTrigger = ShapeOutput<typeof TRIGGER>;

/** A fixture path that stays inside what it is resolved against. */
export interface DeclaredFile {
  readonly declared: string;
  readonly target: string;
}

const ID = required(located(id()));

const COMMON = {
  files: optionalOrNull(list(located(fixturePath())), []),
  timeout: optionalOrNull(int({ min: 1 })),
  assay: optional(assayKeyShape("task")),
};

const STATEMENTS = list(text(), { minLength: 1 });

const EVAL = object(
  {
    id: ID,
    prompt: required(located(text())),
    expected_output: optionalOrNull(text({ blank: "allowed" })),
    expectations: required(STATEMENTS),
    ...COMMON,
  },
  {
    hints: {
      assertions: "expectations",
      criteria: "expectations",
      rubric: "expectations",
      input: "prompt",
      query: "prompt",
      eval_id: "id",
      expected: "expected_output",
      timeout_seconds: "timeout",
      fixtures: "files",
    },
  },
);

const CASE = object(
  {
    id: ID,
    input: required(located(text())),
    state_prefix: optionalOrNull(text({ blank: "allowed" })),
    rubric: required(STATEMENTS),
    ...COMMON,
  },
  {
    hints: {
      prompt: "input",
      query: "input",
      expectations: "rubric",
      assertions: "rubric",
      criteria: "rubric",
      case_id: "id",
      prefix: "state_prefix",
      timeout_seconds: "timeout",
      fixtures: "files",
    },
  },
);

const TRIGGER = object(
  {
    query: required(text()),
    should_trigger: required(bool()),
    assay: optional(assayKeyShape("trigger")),
  },
  { hints: { prompt: "query", input: "query", text: "query", should_fire: "should_trigger" } },
);

/** `evals.json`. */
export const EVALS_FILE = object(
  {
    skill_name: optionalOrNull(text()),
    evals: required(list(located(EVAL))),
    assay: optional(assayKeyShape("file")),
  },
  { hints: { skill: "skill_name", name: "skill_name" } },
);

/** The second generation's file when it is an object. */
export const CASES_FILE = object(
  {
    skill: optionalOrNull(text()),
    cases: required(list(located(CASE))),
    assay: optional(assayKeyShape("file")),
  },
  { hints: { skill_name: "skill", name: "skill" } },
);

/** The second generation's file when it is a bare list. */
export const CASE_LIST = list(located(CASE));

/** `triggers.json`. */
export const TRIGGER_LIST = list(located(TRIGGER));

/** A string or an integer that can name the eval's directory. */
function id(): Shape<string | number> {
  return {
    schema: { anyOf: [{ type: "string", pattern: "\\S" }, { type: "integer" }] },
    read(node, context) {
      if (node.kind !== "string" && node.kind !== "int") {
        return wrongType(node, context, "a string or an integer");
      }
      const problem =
        Number.isInteger(node.value) && !Number.isSafeInteger(node.value)
          ? "is too large to be an exact number"
          : fileNameProblem(String(node.value));
      if (problem === null) return node.value;
      return invalid(context, node, {
        code: "unsafe-id",
        message: `${pathText(context.path)} ${problem}: ${JSON.stringify(node.value)}`,
        hint: "the id names the eval's directory: use letters, digits, - and _",
      });
    },
  };
}

function fixturePath(): Shape<DeclaredFile> {
  return refine(text(), (declared, context, node) => {
    const target = normalizeRelative(declared);
    const problem = pathProblem(declared);
    if (problem === null && target !== "") return { declared, target };
    return invalid(context, node, {
      code: "bad-path",
      message: `${pathText(context.path)} ${problem === null ? "names no file" : pathProblemText(problem)}: ${JSON.stringify(declared)}`,
      hint: "give a path relative to the project or to the evals directory",
    });
  });
}
