import type { JsonObject } from "../../../domain/json.ts";
import { toPlain } from "../../../lib/document/node.ts";
import { pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import { object, optional, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { invalid, pathText, type Shape, type ShapeOutput } from "../../../lib/shape/shape.ts";
import { bool, int, list, number, oneOf, refine, text } from "../../../lib/shape/values.ts";
import { assayKeyShape } from "../../assay-key.ts";
import { assertionShape } from "./assertion-shape.ts";
import { sectionShape } from "./section-shape.ts";

export type Spec = ShapeOutput<typeof SPEC>;

export interface Criterion {
  readonly id: string;
  readonly criterion: string;
  /** The whole entry where it has more keys than these two. */
  readonly origin: JsonObject | null;
}

const QUERIES = optional(list(text()), []);

/** Who can judge where no configuration adds others. */
export const GRADING_PROVIDERS = ["anthropic", "openai", "auto"] as const;

/** One eval file. Rules that look at several values at once, at the disk or at the configuration are beside it. */
export const SPEC = object(
  {
    skill_name: optionalOrNull(skillName()),
    description: optionalOrNull(text({ blank: "allowed" })),
    test_args: optionalOrNull(text({ blank: "allowed" }), ""),
    user_prompt: optionalOrNull(text()),
    system_prompt: optionalOrNull(text()),
    input_files: optional(list(text()), []),
    assertions: optional(list(assertionShape()), []),
    sections: optional(list(sectionShape()), []),
    output_file: optionalOrNull(outputPath()),
    output_files: optional(list(outputPath()), []),
    grading_criteria: optional(list(criterionShape()), []),
    grading_model: optionalOrNull(text()),
    grading_provider: optionalOrNull(providerName()),
    grade_thresholds: optionalOrNull(
      object(
        { min_pass_rate: optional(share()), min_mean_score: optional(share()) },
        { unknownKeys: "error" },
      ),
    ),
    trigger_tests: optionalOrNull(object({ should_trigger: QUERIES, should_not_trigger: QUERIES })),
    variance: optionalOrNull(
      object(
        { n_runs: optional(int({ min: 1 })), min_stability: optional(share()) },
        { unknownKeys: "error" },
      ),
    ),
    timeout: optionalOrNull(int({ min: 1 })),
    transport: optional(oneOf(["api", "cli", "auto"])),
    harness: optional(oneOf(["claude-code", "codex", "auto"])),
    allow_hang_heuristic: optional(bool(), true),
    sync_tasks: optional(bool(), false),
    assay: optional(assayKeyShape("task")),
  },
  {
    hints: {
      name: "skill_name",
      skill: "skill_name",
      args: "test_args",
      files: "input_files",
      criteria: "grading_criteria",
      model: "grading_model",
      provider: "grading_provider",
      thresholds: "grade_thresholds",
      triggers: "trigger_tests",
      timeout_seconds: "timeout",
    },
  },
);

/** Which names there are depends on the configuration, so a rule beside the shape refuses what is none. */
function providerName(): Shape<string | null> {
  const { schema } = oneOf(GRADING_PROVIDERS);
  return { schema, read: (node) => (node.kind === "string" ? node.value : null) };
}

/** It names result folders, so it must not lead anywhere else. */
function skillName(): Shape<string> {
  return refine(text(), (name, context, node) =>
    /[/\\]|^\./.test(name)
      ? invalid(context, node, {
          code: "bad-skill-name",
          message: `${pathText(context.path)} must be a name, not a path: ${JSON.stringify(name)}`,
        })
      : name,
  );
}

/** Relative to the workspace, which it cannot leave; may be a glob. */
function outputPath(): Shape<string> {
  return refine(text(), (path, context, node) => {
    const problem = pathProblem(path);
    if (problem === null) return path;
    return invalid(context, node, {
      code: "bad-path",
      message: `${pathText(context.path)} ${pathProblemText(problem)}: ${JSON.stringify(path)}`,
      hint: "give a path relative to the directory the skill works in",
    });
  });
}

function share(): Shape<number> {
  return number({ min: 0, max: 1 });
}

function criterionShape(): Shape<Criterion> {
  const criterion = object(
    { id: required(text()), criterion: required(text()) },
    { hints: { text: "criterion", description: "criterion", name: "id" } },
  );
  const entry = refine(criterion, (values, _context, node): Criterion => ({
    id: values.id,
    criterion: values.criterion,
    origin: Object.keys(values.extras).length === 0 ? null : (toPlain(node) as JsonObject),
  }));
  return {
    schema: entry.schema,
    read(node, context) {
      if (node.kind === "string") {
        return invalid(context, node, {
          code: "wrong-type",
          message: `${pathText(context.path)} must be an object, not a string`,
          hint: `write {"id": "${idFor(node.value)}", "criterion": ${JSON.stringify(node.value)}}`,
        });
      }
      return entry.read(node, context);
    },
  };
}

/** A first proposal for the id that an older file does not have. */
function idFor(criterion: string): string {
  const words = criterion.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return (
    words
      .filter((word) => word.length > 3)
      .slice(0, 4)
      .join("_") || "criterion_1"
  );
}
